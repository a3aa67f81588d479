// Products: price, stock, and visibility.
import schema from 'virtual:resource/product'
import type { ResourceDef } from '../crud/resourceDefinition'
import { discount } from '../crud/sharedFields'
import { bundleFault, isBundle, SalePrice, StockCell, seoPreview } from './cells'
import { options } from './OptionsEditor'

export const product: ResourceDef = {
  schema,
  page: '/console/shop/products',
  uploadPage: '/console/shop/bulk-upload',
  columns: ['name', 'code', 'thumb', '_seller', 'salePrice', 'left', 'shows', 'updatedAt'],
  cells: {
    salePrice: { align: 'right', cell: SalePrice },
    left: { header: '재고', align: 'right', cell: StockCell },
  },
  sections: [
    { title: '기본 정보', fields: ['name', 'code', 'type', '_seller', 'brand', 'desc', 'index', 'shows'] },
    { title: '가격과 할인', fields: ['price', discount] },
    { title: '사진', fields: ['thumb', 'images'] },
    { title: '옵션과 재고', fields: [options] },
    { title: '세트 구성', fields: [bundleFault, 'bundleds'], when: (draft) => isBundle(draft) },
    { title: '카테고리와 모음', fields: ['categories', 'groups', 'hashtags', 'flags'] },
    { title: '함께 사면 좋은 상품', fields: ['choicees', 'relateds', 'relatedGroupCode'] },
    { title: '상세 설명', fields: ['content'] },
    { title: '상품 정보와 배송', fields: ['origin', 'manufacturer', 'size', 'supplies', '_shipping'] },
    {
      title: '검색 엔진',
      fields: ['seo.title', 'seo.meta.author', 'seo.meta.keywords', 'seo.meta.description', seoPreview],
    },
  ],
  dependsOn: { _shipping: '_seller' },
  dependentOptions: { 'bundleds._option': { of: '_product', kind: 'product', list: 'options', called: 'value' } },
  offers: {
    // The server accepts no other products in a set.
    'bundleds._product': { like: ['_seller'], only: { type: 'NORMAL_PRODUCT' } },
  },
  helpTexts: {
    bundleds:
      '같은 판매자의 일반 상품만 넣을 수 있습니다. 고정 세트는 모두 함께 팔리고, 선택 세트는 고객이 그 가운데 하나를 고릅니다.',
    _shipping: '비워 두면 판매자의 기본 배송 그룹을 적용합니다.',
    groups: '상품 목록에서 함께 필터링할 묶음의 이름입니다. 예: SPRING_SALE.',
    choicees: '상품과 함께 고를 수 있게 상세 화면에 보여 주는 상품입니다.',
    supplies: '상품에 함께 들어 있는 것입니다. 예: 충전기 1개.',
    flags: '상품 카드와 상세에 붙는 표시입니다. 예: NEW, BEST.',
    relatedGroupCode: '같은 코드를 넣은 상품을 위에서 고른 상품 뒤에 함께 보여 줍니다. 예: bicycle-road',
  },
  defaultValues: { shows: false, type: 'NORMAL_PRODUCT' },
}
