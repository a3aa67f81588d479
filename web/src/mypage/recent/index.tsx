// The member's recently viewed products, newest first; the list can be cleared (spec V214).
import { useMutation } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { GridOutline, ProductGrid } from '../../features/products/ProductCard'
import { useForgetRecents, useRecents } from '../../features/products/recentlyViewed'
import { searchWords } from '../../features/search/words'
import { ko } from '../../i18n/ko'
import { Button, ButtonLink } from '../../ui/Button'
import { confirmDialog } from '../../ui/confirm'
import { EmptyState, Loading } from '../../ui/states'
import { MyPage } from '../MyPage'

export function Component() {
  const { products, waiting } = useRecents()
  const forgetAll = useForgetRecents()
  const forget = useMutation({
    mutationFn: async () => {
      if (await confirmDialog({ title: '최근 본 상품을 모두 삭제할까요?', yes: ko.action.remove, danger: true }))
        await forgetAll()
    },
  })
  return (
    <MyPage
      title={searchWords.recentProducts}
      aside={
        products.length > 0 && (
          <Button variant="ghost" size="sm" busy={forget.isPending} onClick={() => forget.mutate()}>
            {searchWords.forgetAll}
          </Button>
        )
      }
    >
      <div className="mt-6">
        {waiting ? (
          <Loading>
            <GridOutline count={6} room="beside" />
          </Loading>
        ) : products.length === 0 ? (
          <EmptyState
            icon={<Clock />}
            title="최근 본 상품이 없습니다"
            text="둘러본 상품이 이곳에 모입니다."
            action={<ButtonLink to="/shop/products">상품 둘러보기</ButtonLink>}
          />
        ) : (
          <ProductGrid products={products} room="beside" />
        )}
      </div>
    </MyPage>
  )
}
