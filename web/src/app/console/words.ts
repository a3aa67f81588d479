// Texts of the console's frame.
export const consoleWords = {
  name: '관리',
  title: '관리',
  menu: '관리 메뉴',
  toShop: '쇼핑몰로',
  loginTitle: '운영자와 판매자 전용 페이지입니다',
  loginText: '관리 권한이 있는 계정으로 로그인해 주세요.',
  noScope: '이 계정으로는 이용할 수 없습니다',
  noScopeText: '운영자 또는 판매자 계정으로 로그인해 주세요.',
} as const

export const paletteWords = {
  title: '이동하기',
  hint: '페이지, 주문, 상품, 회원, 쿠폰',
  order: (no: string) => `주문 ${no} 열기`,
  none: '검색 결과가 없습니다.',
  searching: '검색하고 있습니다.',
  kinds: { order: '주문', product: '상품', member: '회원', coupon: '쿠폰' },
  open: '빠른 이동 (Ctrl+K)',
  keys: '단축키',
  /** Shortcuts a page supports, by name. */
  shortcuts: {
    palette: ['Ctrl+K', '페이지, 주문, 상품, 회원, 쿠폰으로 이동'],
    search: ['/', '목록에서 검색'],
    move: ['J / K', '목록의 다음 행 / 이전 행으로 이동'],
    open: ['Enter', '이동한 행 열기'],
    select: ['X 또는 Space', '이동한 행 선택'],
    save: ['Ctrl+S', '저장'],
    help: ['?', '단축키 보기'],
    close: ['Esc', '창 닫기'],
  },
} as const
