// Public holidays: dates that are not business days.
import schema from 'virtual:resource/holiday'
import type { ResourceDef } from '../crud/resourceDefinition'
import { DateCell, weekdayNote } from './cells'

export const holiday: ResourceDef = {
  schema,
  page: '/console/shop/holidays',
  openInList: true,
  columns: ['name', 'date', 'updatedAt'],
  cells: { date: { cell: DateCell } },
  sections: [{ title: '공휴일', fields: ['date', 'name', weekdayNote] }],
  helpTexts: { date: '하루에 하나씩 등록합니다. 연휴와 대체공휴일도 날마다 등록해 주세요.' },
  emptyText:
    '올해와 내년의 공휴일을 등록해 주세요. 등록한 날은 영업일에서 빠집니다. 한 해의 공휴일을 엑셀 파일로 한 번에 등록할 수 있습니다.',
}
