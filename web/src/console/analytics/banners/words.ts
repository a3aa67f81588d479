// Texts of the banner statistics.
import { grouped } from '../../../i18n/number'
export const bannerClickWords = {
  title: '배너 통계',
  clicks: (n: number) => `총 ${grouped(n)}회 클릭`,
  name: '배너',
  subject: '종류',
  subjects: { _popup: '팝업', _slide: '배너', _tagBanner: '태그 배너', _storyCard: '스토리 카드' },
  place: '위치',
  devices: { PC: 'PC', MOBILE: '모바일' },
  best: '클릭이 가장 많은 날',
  times: (day: string, count: string) => `${day} ${count}회`,
  count: '클릭 수',
  gone: '삭제된 배너',
  none: '이 기간에 클릭된 배너가 없습니다.',
  noneText: '기간을 넓혀 보세요.',
} as const
