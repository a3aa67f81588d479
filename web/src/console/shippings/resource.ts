// Shipping groups: methods and fees for products.
import schema from 'virtual:resource/shipping'
import type { ResourceDef } from '../crud/resourceDefinition'
import { ShippingMethodsCell } from './cells'

export const shipping: ResourceDef = {
  schema,
  page: '/console/shop/shippings',
  openInList: true,
  columns: ['name', '_seller', 'ways', 'isDefault', 'isActive', 'updatedAt'],
  cells: { ways: { header: '배송 방법', cell: ShippingMethodsCell } },
  sections: [
    { title: '배송 그룹', fields: ['name', '_seller', 'isDefault', 'isActive', 'startsAt', 'endsAt'] },
    { title: '배송 방법과 요금', fields: ['options'] },
    { title: '배송 수단과 지역', fields: ['methods', 'regions'] },
    { title: '적용 상품', fields: ['targetType', 'products', 'categories', 'brands'] },
    {
      title: '출고지',
      fields: [
        'warehouse.name',
        'warehouse.code',
        'warehouse.postcode',
        'warehouse.address1',
        'warehouse.address2',
        'warehouse.geolocation',
      ],
    },
  ],
  helpTexts: {
    targetType: '고르면 그 목록만 봅니다. 모든 상품을 고르면 아래 목록과 관계없이 판매자의 모든 상품에 적용합니다.',
    methods: '구매자에게 보여 주는 배송 수단의 안내입니다. 하나라도 등록하면 배송 방법은 등록된 수단만 쓸 수 있습니다.',
    regions: '배송 방법의 배송 지역에는 여기에 등록한 지역명을 입력합니다.',
  },
  defaultValues: { isDefault: false, isActive: true, options: [] },
}
