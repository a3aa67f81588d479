// Common codes.
import schema from 'virtual:resource/shop-code'
import type { ResourceDef } from '../crud/resourceDefinition'

export const shopCode: ResourceDef = {
  schema,
  page: '/console/shop/codes',
  openInList: true,
  columns: ['name', 'code', 'values', 'enabled', 'updatedAt'],
  sections: [
    { title: '공통 코드', fields: ['code', 'name', 'desc', 'enabled'] },
    { title: '값', fields: ['values'] },
  ],
  defaultValues: { enabled: true, desc: '', values: [] },
  emptyText: '여러 화면에서 함께 쓰는 값의 목록을 코드로 등록해 주세요.',
}
