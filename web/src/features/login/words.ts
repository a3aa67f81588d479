// Texts of the login.
export const loginWords = {
  title: '로그인',
  lead: '주문과 쿠폰, 적립금을 한곳에서 확인하세요.',
  username: '아이디',
  password: '비밀번호',
  usernameMissing: '아이디를 입력해 주세요.',
  passwordMissing: '비밀번호를 입력해 주세요.',
  demo: '체험 계정',
  demoHint: '선택하면 아이디와 비밀번호가 자동으로 입력됩니다.',
  wrong: '아이디 또는 비밀번호가 올바르지 않습니다.',
  noAccount: '아직 회원이 아니신가요?',
  asGuest: '비회원으로 주문하셨나요?',
  guestCart: '로그인하지 않고 장바구니 보기',
  guestCartCount: (n: number) => `${n}개`,
  already: '이미 회원이신가요?',
} as const
