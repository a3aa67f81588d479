// The first page of the shop.
import { ko } from '../../i18n/ko'
import { ButtonLink } from '../../ui/Button'

export function Component() {
  return (
    <main id="content" className="shell py-20 md:py-28">
      <h1 className="max-w-xl font-extrabold text-4xl">{ko.shop.slogan}</h1>
      <p className="mt-4 max-w-lg text-ink-2 text-lg">
        자전거와 스쿠터, 킥보드, 그리고 갓 짠 주스. 고른 것은 오래 쓰도록 돕습니다.
      </p>
      <ButtonLink to="/shop/products" variant="accent" size="lg" className="mt-8">
        {ko.chrome.allProducts}
      </ButtonLink>
    </main>
  )
}
