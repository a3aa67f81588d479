// Edits the member's own inquiry until it is answered.
import { useNavigate, useParams } from 'react-router'
import { useApiQuery } from '../../../api/query'
import { MY_INQUIRES } from '../../../features/inquiries/api'
import { InquireForm } from '../../../features/inquiries/InquireForm'
import { ButtonLink } from '../../../ui/Button'
import { LoadError } from '../../../ui/LoadError'
import { Notice } from '../../../ui/Notice'
import { Loading, Skeleton } from '../../../ui/states'
import { MyPage } from '../../MyPage'

export function Component() {
  const { inquiryId = '' } = useParams()
  const navigate = useNavigate()
  const { data, error, refetch } = useApiQuery(`${MY_INQUIRES}/{id}`, { path: { id: inquiryId } })
  const inquire = data?.inquire
  return (
    <MyPage title="문의 수정">
      {error && !inquire ? (
        <LoadError
          error={error}
          onRetry={() => void refetch()}
          title="찾으시는 문의가 없습니다"
          action={<ButtonLink to="/mypage/inquiries">목록으로</ButtonLink>}
        />
      ) : !inquire ? (
        <Loading className="mt-6">
          <Skeleton className="h-64 rounded-lg" />
        </Loading>
      ) : inquire.state === 'ANSWER_COMPLETE' || inquire.removed ? (
        <div className="mt-6 grid justify-items-start gap-4">
          <Notice tone="info">답변이 등록되었거나 삭제한 문의는 수정할 수 없습니다.</Notice>
          <ButtonLink to="/mypage/inquiries" variant="outline">
            내 문의로
          </ButtonLink>
        </div>
      ) : (
        <div className="mt-6 max-w-2xl">
          <p className="mb-5 font-semibold">{inquire.name}</p>
          <InquireForm known={inquire} onDone={() => void navigate('/mypage/inquiries', { replace: true })} />
        </div>
      )}
    </MyPage>
  )
}
