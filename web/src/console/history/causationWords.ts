// Texts of the causation tree.
export const causationWords = {
  title: '원인과 결과',
  byTime: '시간순',
  byCause: '원인순',
  led: (title: string) => `“${title}” 에 따른 기록`,
  elsewhere: '원인이 된 기록은 다른 장부에 있습니다.',
  parts: (orders: number) => `관련된 주문 ${orders}건을 최신순으로 나누어 보여 드립니다.`,
  pages: '원인과 결과 페이지',
} as const
