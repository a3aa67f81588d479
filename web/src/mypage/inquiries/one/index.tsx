// One inquiry of the member with its answer: the target of the notification about an answer.
import { useNavigate, useParams } from 'react-router'
import { useApiQuery } from '../../../api/query'
import { MY_INQUIRES } from '../../../features/inquiries/api'
import { InquireText } from '../../../features/inquiries/InquireItem'
import { Badge } from '../../../ui/Badge'
import { ButtonLink } from '../../../ui/Button'
import { DateText } from '../../../ui/DateText'
import { Link } from '../../../ui/Link'
import { LoadError } from '../../../ui/LoadError'
import { Notice } from '../../../ui/Notice'
import { Loading, Skeleton } from '../../../ui/states'
import { MyPage } from '../../MyPage'
import { InquireActions } from '../InquireActions'

export function Component() {
  const { inquiryId = '' } = useParams()
  const navigate = useNavigate()
  const { data, error, refetch } = useApiQuery(`${MY_INQUIRES}/{id}`, { path: { id: inquiryId } })
  const inquire = data?.inquire
  return (
    <MyPage title="상품 문의">
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
      ) : inquire.removed ? (
        <Notice tone="info" className="mt-6">
          삭제한 문의입니다.
        </Notice>
      ) : (
        <article className="mt-6 max-w-2xl">
          <p className="flex flex-wrap items-center gap-2 text-ink-3 text-sm">
            <Badge tone={inquire.state === 'ANSWER_COMPLETE' ? 'good' : 'quiet'}>
              {inquire.state === 'ANSWER_COMPLETE' ? '답변완료' : '답변대기'}
            </Badge>
            {inquire.secret && <Badge>비밀글</Badge>}
            <DateText value={inquire.createdAt} className="figures" />
            <Link to={`/shop/products/${inquire._product}#inquiries`} className="tap underline underline-offset-4">
              {inquire.name}
            </Link>
          </p>
          <h2 className="mt-3 mb-4 font-bold text-xl">{inquire.subject}</h2>
          <InquireText inquire={inquire} />
          <div className="mt-6 flex gap-2">
            <InquireActions inquire={inquire} onRemoved={() => void navigate('/mypage/inquiries', { replace: true })} />
          </div>
        </article>
      )}
    </MyPage>
  )
}
