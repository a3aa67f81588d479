// What a product's form asks for.
import type { Category } from '../../api/categories'
import { name, required } from '../../lib/validators'
import type { Document, Section } from '../records/fields'
import type { RecordKind } from '../records/RecordPage'

export const UNITS = [
  { value: 'AMOUNT', label: '금액' },
  { value: 'PERCENT', label: '비율(%)' },
]

/** The tree as choices, children after their parent. */
export const categoryOptions = (tree: readonly Category[], above = ''): { value: string; label: string }[] =>
  tree.flatMap((category) => [
    { value: category.code, label: above + category.name },
    ...categoryOptions(category.children ?? [], `${above}${category.name} › `),
  ])

const sections = (categories: readonly Category[]): Section[] => [
  {
    title: '기본 정보',
    fields: [
      { kind: 'text', path: 'name', label: '상품명', required: true, rule: name, wide: true },
      { kind: 'text', path: 'code', label: '상품코드', required: true, rule: required('상품코드를 입력해 주세요.') },
      { kind: 'text', path: 'brand', label: '브랜드' },
      { kind: 'textarea', path: 'desc', label: '한 줄 소개' },
      { kind: 'bool', path: 'shows', label: '쇼핑몰에 진열합니다' },
    ],
  },
  {
    title: '가격과 할인',
    fields: [
      { kind: 'money', path: 'price', label: '정가', required: true },
      { kind: 'choice', path: 'discount.unit', label: '할인', options: [{ value: '', label: '할인 없음' }, ...UNITS] },
      {
        kind: 'worth',
        path: 'discount.value',
        unit: 'discount.unit',
        label: '할인값',
        required: true,
        when: (values) => values['discount.unit'] !== '',
      },
      {
        kind: 'money',
        path: 'discount.limit',
        label: '할인 상한',
        hint: '비워 두면 상한이 없습니다.',
        when: (values) => values['discount.unit'] === 'PERCENT',
      },
    ],
  },
  {
    title: '카테고리',
    fields: [{ kind: 'many', path: 'categories', label: '진열할 카테고리', options: categoryOptions(categories) }],
  },
  {
    title: '상세 정보',
    fields: [
      { kind: 'textarea', path: 'content', label: '상세 설명' },
      { kind: 'text', path: 'origin', label: '원산지' },
      { kind: 'text', path: 'manufacturer', label: '제조사' },
      { kind: 'text', path: 'size', label: '크기' },
    ],
  },
]

export const productKind = (categories: readonly Category[]): RecordKind => ({
  path: '/api/console/shop/products',
  one: 'product',
  name: '상품',
  sections: sections(categories),
  // A discount without a unit is no discount.
  tidy: (changes: Document) => {
    const discount = changes.discount as Document | null | undefined
    return discount && !discount.unit ? { ...changes, discount: null } : changes
  },
})
