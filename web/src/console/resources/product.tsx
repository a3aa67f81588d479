// Products: what each costs, how many are left, and whether shoppers see it.
import { grouped } from '../../i18n/number'
import { Badge } from '../../ui/Badge'
import type { CustomField, EditProps, ResourceDef, Row } from '../kit/def'
import { at } from '../kit/draft'
import { discount } from './parts'
import { options, type Pile } from './product-options'

const Left = ({ row }: { row: Row }) => {
  const left = ((row.stock as Pile[] | undefined) ?? []).reduce((sum, pile) => sum + pile.available, 0)
  return (
    <span className={left > 0 ? 'figures' : 'figures font-semibold text-danger'}>
      {left > 0 ? grouped(left) : '품절'}
    </span>
  )
}

const Shows = ({ row }: { row: Row }) => (row.shows === true ? <Badge tone="good">노출</Badge> : <Badge>숨김</Badge>)

const TITLE_MOST = 60
const TEXT_MOST = 120
const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/** How a search engine may show the product. */
function SeoPreview({ draft }: EditProps) {
  const text = (path: string) => String(at(draft, path) ?? '').trim()
  return (
    <div className="max-w-xl rounded-md border border-line p-4">
      <p className="text-ink-3 text-xs">검색 결과 미리보기</p>
      <p className="mt-1 text-info text-lg">{cut(text('seo.title') || text('name') || '상품명', TITLE_MOST)}</p>
      <p className="text-success text-sm">{location.host} › 상품</p>
      <p className="text-ink-2 text-sm">
        {cut(text('seo.meta.description') || text('desc') || '검색 설명이나 간단 설명이 여기에 보입니다.', TEXT_MOST)}
      </p>
    </div>
  )
}
const seoPreview: CustomField = { edits: ['seo'], edit: SeoPreview }

/** Types that are made of other products. */
const BUNDLES = ['PRODUCT_BUNDLE', 'VARIETY_BUNDLE']

export const product: ResourceDef = {
  kind: 'product',
  page: '/console/shop/products',
  columns: ['name', 'code', 'thumb', '_seller', 'price', 'left', 'shows', 'updatedAt'],
  cells: {
    left: { header: '재고', align: 'right', cell: Left },
    shows: { cell: Shows },
  },
  sections: [
    { title: '기본 정보', fields: ['name', 'code', 'type', '_seller', 'brand', 'desc', 'index', 'shows'] },
    { title: '가격과 할인', fields: ['price', discount] },
    { title: '사진', fields: ['thumb', 'images'] },
    { title: '옵션과 재고', fields: [options] },
    { title: '세트 구성', fields: ['bundleds'], when: (draft) => BUNDLES.includes(String(draft.type)) },
    { title: '카테고리와 모음', fields: ['categories', 'groups', 'hashtags', 'flags'] },
    { title: '함께 사면 좋은 상품', fields: ['relateds', 'relatedGroupCode'] },
    { title: '상세 설명', fields: ['content'] },
    { title: '상품 정보와 배송', fields: ['origin', 'manufacturer', 'size', '_shipping'] },
    {
      title: '검색 엔진',
      fields: ['seo.title', 'seo.meta.author', 'seo.meta.keywords', 'seo.meta.description', seoPreview],
    },
  ],
  within: { _shipping: '_seller' },
  rows: { 'bundleds._option': { of: '_product', kind: 'product', list: 'options', called: 'value' } },
  starts: { shows: false },
}
