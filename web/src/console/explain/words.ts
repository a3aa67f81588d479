// Texts of explained amounts.
export const explainWords = {
  open: '설명',
  title: (label: string) => `${label}의 설명`,
  made: '더하고 뺀 값',
  result: '합계',
  source: '규칙',
  back: '위로 돌아가기',
  rule: (spec: string) => `규칙 ${spec}`,
  nothing: '더하거나 뺀 금액이 없습니다.',
  coupons: (n: number) => `${n}장`,
  stock: '장부의 재고',
} as const
