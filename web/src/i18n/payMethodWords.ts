// Names of payment methods.
export const payMethodWords = {
  card: '신용·체크카드',
  bank: '실시간 계좌이체',
  vbank: '가상계좌',
  cellphone: '휴대폰 결제',
  free: '쿠폰·적립금',
} as const
