// Korean texts shared by several screens. Dates are Korean and a few messages English because
// the specification gives their exact text (V037, V038, V124, V152-V156).

const SCOPES: Record<string, string> = { console: '운영자', company: '판매자' }
const USER_TYPES: Record<string, string> = { PERSON: '개인회원', COMPANY: '사업자회원', OPERATOR: '운영자' }
const named = (names: Record<string, string>, keys: readonly string[]): string =>
  keys.map((key) => names[key] ?? key).join(' 또는 ')

export const ko = {
  shop: { name: '장부', slogan: '오래 타고, 오래 남는 것들' },

  action: {
    close: '닫기',
    save: '저장',
    remove: '삭제',
    retry: '다시 시도',
    search: '검색',
    more: '더보기',
    login: '로그인',
    logout: '로그아웃',
    join: '회원가입',
    previous: '이전',
    next: '다음',
    home: '홈으로',
    openMenu: '메뉴 열기',
    skip: '본문으로 건너뛰기',
  },

  chrome: {
    categories: '카테고리',
    allProducts: '전체 상품',
    search: '상품 검색',
    searchHint: '무엇을 찾으세요?',
    lookup: '비회원 주문조회',
    cart: '장바구니',
    cartCount: (count: number) => `${count}개 담김`,
    mypage: '마이페이지',
    console: '관리',
    account: '내 계정',
    main: '주 메뉴',
    bottom: '하단 메뉴',
    homeTab: '홈',
    story: '스토리',
    miniHome: '미니홈',
    center: '고객센터',
    notices: '알림',
    unread: (count: string) => `읽지 않은 알림 ${count}개`,
    hideBand: '띠배너 닫기',
  },

  session: {
    logoutQuestion: 'Do you want to logout?',
    /** Below the specification's English. */
    logoutText: '로그아웃할까요?',
    accessDenied: 'Access denied',
    /** Appended: the missing permission. */
    missingScope: (scopes: readonly string[]) => `${named(SCOPES, scopes)} 권한이 필요합니다.`,
    missingRight: '이 작업을 할 권한이 없습니다.',
    missingType: (types: readonly string[]) => `${named(USER_TYPES, types)}만 이용할 수 있습니다.`,
    loginRequired: 'Please log in to continue',
    loginRequiredMenu: '로그인이 필요한 서비스입니다.',
    expired: '로그인이 만료되었습니다. 다시 로그인해 주세요.',
    loggedOut: '로그아웃했습니다.',
    endedElsewhere: '다른 창에서 로그아웃했습니다.',
  },

  state: {
    loading: '불러오는 중',
    empty: '표시할 내용이 없습니다.',
    errorTitle: '불러오지 못했습니다',
    errorText: '잠시 후 다시 시도해 주세요.',
    network: '서버에 연결하지 못했습니다. 인터넷 연결을 확인해 주세요.',
    offline: '인터넷 연결이 끊겼습니다',
    forbidden: '권한이 없습니다.',
    requestId: (id: string) => `문의 번호 ${id}`,
    crashTitle: '화면을 표시하지 못했습니다',
  },
} as const
