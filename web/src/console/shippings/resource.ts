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
    { title: '적용 상품', fields: ['products', 'categories', 'brands'] },
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
  defaultValues: { isDefault: false, isActive: true, options: [] },
}
