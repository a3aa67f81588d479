// Cells of products: stock, prices and search engine preview.
import { grouped } from '../../i18n/number'
import { Money } from '../../ui/Money'
import { Notice } from '../../ui/Notice'
import { type Document, getIn } from '../crud/formState'
import type { CustomField, EditProps, Row } from '../crud/resourceDefinition'
import type { OptionStock } from './OptionsEditor'

/** Types that consist of other products. */
const BUNDLES = ['PRODUCT_BUNDLE', 'VARIETY_BUNDLE']
export const isBundle = (product: Document): boolean => BUNDLES.includes(String(product.type))

export const StockCell = ({ row }: { row: Row }) => {
  if (row.bundleFault)
    return (
      <span className="font-semibold text-danger">
        판매 중지
        <span className="block max-w-56 whitespace-normal text-left font-normal text-ink-2 text-xs">
          {String(row.bundleFault).replace(/^판매 중지: /, '')}
        </span>
      </span>
    )
  if (isBundle(row)) return <span className="text-ink-3">세트</span>
  const left = ((row.stock as OptionStock[] | undefined) ?? []).reduce((sum, pile) => sum + pile.available, 0)
  return (
    <span className={left > 0 ? 'figures' : 'figures font-semibold text-danger'}>
      {left > 0 ? grouped(left) : '품절'}
    </span>
  )
}

/** The price of a piece, and its price before the discount. */
export const SalePrice = ({ row: { price, salePrice, discountRate } }: { row: Row }) => (
  <>
    <Money amount={Number(salePrice)} />
    {salePrice !== price && (
      <span className="block text-ink-3 text-xs">
        <s>
          <span className="sr-only">정가 </span>
          <Money amount={Number(price)} />
        </s>
        {Number(discountRate) > 0 && ` ${discountRate}%`}
      </span>
    )}
  </>
)

/** Why a set cannot be sold, shown where its parts are chosen. */
const BundleFault = ({ document }: EditProps) =>
  document.bundleFault ? <Notice tone="bad">{String(document.bundleFault)} 쇼핑몰에는 품절로 보입니다.</Notice> : null
export const bundleFault: CustomField = { paths: [], component: BundleFault }

const TITLE_MOST = 60
const TEXT_MOST = 120
const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/** The product in a search engine's results. */
function SeoPreview({ draft }: EditProps) {
  const text = (path: string) => String(getIn(draft, path) ?? '').trim()
  return (
    <div className="max-w-xl rounded-md border border-line p-4">
      <p className="text-ink-3 text-xs">검색 결과 미리보기</p>
      <p className="mt-1 text-info text-lg">{cut(text('seo.title') || text('name') || '상품명', TITLE_MOST)}</p>
      <p className="text-success text-sm">{location.hostname} › 상품</p>
      <p className="text-ink-2 text-sm">
        {cut(text('seo.meta.description') || text('desc') || '메타 설명이나 간단 설명이 여기에 표시됩니다.', TEXT_MOST)}
      </p>
    </div>
  )
}
export const seoPreview: CustomField = { paths: ['seo'], component: SeoPreview }
