// Reviews by buyers. Staff answer, feature, hide or delete them; the buyer's text cannot be edited.
import schema from 'virtual:resource/review'
import type { ResourceDef } from '../crud/resourceDefinition'
import { Answer, Stars } from './cells'

export const review: ResourceDef = {
  schema,
  page: '/console/shop/reviews',
  openInList: true,
  columns: ['subject', 'star', 'name', 'reply', 'shows', 'createdAt'],
  cells: {
    star: { align: 'left', cell: Stars },
    name: { minWidth: '8rem', secondaryField: 'nickname' },
    reply: { cell: Answer },
  },
  sections: [
    { title: '답변', fields: ['reply'] },
    { title: '노출', fields: ['isBest', 'shows'] },
    { title: '후기', fields: ['star', 'subject', 'content', 'images', 'nickname'] },
    { title: '구매한 상품', fields: ['_product', 'optionName', '_purchase'] },
  ],
}
