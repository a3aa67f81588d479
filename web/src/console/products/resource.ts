// Products: price, stock, and visibility.
import schema from 'virtual:resource/product'
import type { ResourceDef } from '../crud/resourceDefinition'
import { discount } from '../crud/sharedFields'
import { bundleFault, isBundle, SalePrice, StockCell, seoPreview } from './cells'
import { options } from './optionsField'

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
    { title: '가격과 할인', fields: ['price', 'cost', discount] },
    { title: '사진', fields: ['thumb', 'images'] },
    { title: '옵션과 재고', fields: [options] },
    { title: '세트 구성', fields: [bundleFault, 'bundleds'], when: (draft) => isBundle(draft) },
    { title: '카테고리와 모음', fields: ['categories', 'groups', 'hashtags', 'flags'] },
    { title: '함께 사면 좋은 상품', fields: ['choicees', 'relateds', 'relatedGroupCode'] },
    {
      title: '변형 상품',
      fields: ['variation.enabled', 'variation.code', 'variation.list', 'variation.spec', 'sequence'],
    },
    { title: '상세 설명', fields: ['content', 'link'] },
    { title: '상품 정보와 배송', fields: ['origin', 'manufacturer', 'size', 'supplies', '_shipping'] },
    { title: '소재와 영양성분', fields: ['materials', 'nutritions'] },
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
    cost: '상품 하나를 들여오는 값입니다. 고객에게는 보이지 않습니다.',
    'variation.enabled': '같은 판매자의 상품 가운데 코드가 같은 것을 서로 오갈 수 있게 상품 화면에 보여 줍니다.',
    'variation.code': '변형 상품끼리 같은 코드를 입력합니다. 예: juice-carrot',
    'variation.list': '변형 상품이 서로 다른 점입니다. 예: 용량',
    'variation.spec': '이 상품의 값입니다. 예: 500ml',
    sequence: '변형 상품과 관련 상품 묶음 안에서 작은 수부터 보여 줍니다.',
    link: '상품 화면에서 이어지는 페이지입니다. / 또는 https://로 시작하는 주소를 입력합니다.',
    materials: '등록해 둔 소재를 고릅니다. 노출하는 소재만 상품 화면에 보입니다.',
    flags: '상품 카드와 상세에 붙는 표시입니다. 예: NEW, BEST.',
    relatedGroupCode: '같은 코드를 넣은 상품을 위에서 고른 상품 뒤에 함께 보여 줍니다. 예: bicycle-road',
  },
  defaultValues: { shows: false, type: 'NORMAL_PRODUCT' },
}
