// The member's questions about products.
import { keepPreviousData } from '@tanstack/react-query'
import { MessageCircleQuestion } from 'lucide-react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { MY_INQUIRES } from '../../features/inquiries/api'
import { InquireItem } from '../../features/inquiries/InquireItem'
import { usePage } from '../../lib/usePage'
import { ButtonLink } from '../../ui/Button'
import { Link } from '../../ui/Link'
import { PagedList } from '../../ui/PagedList'
import { EmptyState, Skeleton } from '../../ui/states'
import { MyPage } from '../MyPage'
import { InquireActions } from './InquireActions'

const SIZE = 20

export function Component() {
  const { page, hrefOf } = usePage()
  const inquiries = useApiQuery(MY_INQUIRES, { headers: paged(page, SIZE) }, { placeholderData: keepPreviousData })
  return (
    <MyPage title="상품 문의">
      <PagedList
        query={inquiries}
        page={page}
        size={SIZE}
        hrefOf={hrefOf}
        skeletonClass="mt-6 grid gap-3"
        skeleton={
          <>
            <Skeleton className="h-16 rounded-lg" />
            <Skeleton className="h-16 rounded-lg" />
          </>
        }
        empty={
          <EmptyState
            icon={<MessageCircleQuestion />}
            title="아직 문의가 없습니다"
            text="상품 페이지의 문의 탭에서 판매자에게 문의할 수 있습니다."
            action={<ButtonLink to="/shop/products">상품 보러 가기</ButtonLink>}
          />
        }
      >
        {(answer) => (
          <ul className="mt-6 divide-y divide-line border-line border-y">
            {answer.inquires.map((inquire) => (
              <InquireItem
                key={inquire._id}
                inquire={inquire}
                about={inquire.name}
                actions={
                  <>
                    <Link
                      to={`/shop/products/${inquire._product}#inquiries`}
                      className="mr-auto self-center text-ink-3 text-sm underline-offset-4 hover:underline"
                    >
                      상품 보기
                    </Link>
                    <InquireActions inquire={inquire} />
                  </>
                }
              />
            ))}
          </ul>
        )}
      </PagedList>
    </MyPage>
  )
}
