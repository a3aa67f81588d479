// Product inquiries: shoppers' questions and the answers. Questions are encrypted and belong to their authors: they are read-only here.
import schema from 'virtual:resource/inquire'
import type { ResourceDef } from '../crud/resourceDefinition'
import { SecretCell, State, template } from './cells'

export const inquire: ResourceDef = {
  schema,
  page: '/console/shop/inquires',
  openInList: true,
  columns: ['subject', 'state', 'name', 'nickname', 'secret', 'createdAt'],
  cells: { state: { cell: State }, secret: { cell: SecretCell } },
  sections: [
    { title: '답변', fields: [template, 'reply'] },
    { title: '문의', fields: ['subject', 'content', 'secret', 'nickname', 'state'] },
    { title: '상품', fields: ['_product'] },
  ],
}
