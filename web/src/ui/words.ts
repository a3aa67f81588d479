// Texts of the components.
import { grouped } from '../i18n/number'
export const uiWords = {
  pagination: {
    label: '페이지',
    first: '첫 페이지',
    last: '마지막 페이지',
    page: (n: number) => `${n} 페이지`,
  },
  table: {
    selectAll: '이 페이지 모두 선택',
    selectRow: (n: number) => `${n}번째 행 선택`,
    selected: (n: number) => `${n}개 선택`,
    clear: '선택 해제',
    total: (n: number, unit = '건') => `전체 ${grouped(n)}${unit}`,
    sortBy: (name: string) => `${name} 정렬`,
  },
  stepper: {
    less: '수량 줄이기',
    more: '수량 늘리기',
    quantity: '수량',
    atMost: (most: number) => `${most}개까지 선택할 수 있습니다.`,
    atLeast: (least: number) => `${least}개부터 선택할 수 있습니다.`,
    whole: '소수점이나 기호 없이 숫자만 입력해 주세요.',
    kept: (typed: string, count: number) =>
      typed === ''
        ? `수량이 비어 있어 ${count}개로 되돌렸습니다.`
        : `‘${typed}’ 대신 ${count}개로 되돌렸습니다. 소수점이나 기호 없이 숫자만 입력해 주세요.`,
  },
  field: { required: '필수', optional: '선택', showPassword: '비밀번호 보기' },
  picture: { none: '사진 준비 중', enlarge: '사진 크게 보기' },
  money: { free: '무료', was: '정가', rate: '할인율', now: '판매가' },
  carousel: { pause: '자동 재생 멈추기', play: '자동 재생 시작' },
  rating: { label: '별점', of: (n: number) => `5점 만점에 ${n}점`, short: (n: number) => `${n}점` },
  breadcrumbs: '현재 위치',
} as const
