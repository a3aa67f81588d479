// Products the member likes, twenty per page.
import { Heart } from 'lucide-react'
import { LIKES_SIZE, useLikes } from '../../features/likes/api'
import { GridOutline, ProductGrid } from '../../features/products/ProductCard'
import { grouped } from '../../i18n/number'
import { usePage } from '../../lib/usePage'
import { ButtonLink } from '../../ui/Button'
import { PagedList } from '../../ui/PagedList'
import { EmptyState } from '../../ui/states'
import { MyPage } from '../MyPage'

export function Component() {
  const { page, hrefOf } = usePage()
  const likes = useLikes(page)
  const total = likes.data?.summary.totalCount ?? 0
  return (
    <MyPage title="찜한 상품" aside={total > 0 && <p className="figures text-ink-2">{grouped(total)}개</p>}>
      <div className="mt-6">
        <PagedList
          query={likes}
          page={page}
          size={LIKES_SIZE}
          hrefOf={hrefOf}
          skeleton={<GridOutline count={6} room="beside" />}
          empty={
            <EmptyState
              icon={<Heart />}
              title="찜한 상품이 없습니다"
              text="마음에 드는 상품의 하트를 눌러 두면 이곳에서 다시 볼 수 있습니다."
              action={<ButtonLink to="/shop/products">상품 둘러보기</ButtonLink>}
            />
          }
        >
          {(answer) => <ProductGrid products={answer.likes.map(({ product }) => product)} room="beside" />}
        </PagedList>
      </div>
    </MyPage>
  )
}
