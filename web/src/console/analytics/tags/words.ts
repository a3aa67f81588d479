// Texts of the search statistics.
import { grouped } from '../../../i18n/number'
export const searchTermWords = {
  title: '검색어·태그 통계',
  how: '한 사람이 하루에 여러 번 검색해도 1회로 집계합니다. 변동은 직전 같은 기간과 비교한 순위입니다.',
  type: '종류',
  types: { SEARCH: '검색어', TAG: '태그' },
  term: '검색어',
  place: '순위',
  change: '변동',
  count: '검색한 사람',
  people: (n: number) => `${grouped(n)}명`,
  none: { SEARCH: '이 기간에 검색된 검색어가 없습니다.', TAG: '이 기간에 클릭된 태그가 없습니다.' },
  noneText: '기간을 넓혀 보세요.',
} as const
