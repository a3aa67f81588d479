// Texts of the refunds page.
export const refundStates = ['due', 'unknown', 'refused', 'redirected'] as const
export type RefundState = (typeof refundStates)[number]

export const refundWords = {
  title: '환불',
  lead: '취소는 신청한 날, 반품은 상품을 확인한 날, 교환 배송비는 교환을 거부한 날부터 3영업일 안에 환불해야 합니다. 주말과 공휴일은 세지 않습니다.',
  states: {
    due: '환불 예정',
    unknown: '결과 확인 중',
    refused: '환불 거절',
    redirected: '계좌 이체',
  } satisfies Record<RefundState, string>,
  none: {
    due: ['환불할 금액이 없습니다', '취소나 반품이 접수되면 여기에 나타납니다.'],
    unknown: ['결과를 모르는 환불이 없습니다', '결제 서비스의 답을 받지 못한 환불이 여기에 나타납니다.'],
    refused: ['거절된 환불이 없습니다', '결제 서비스가 거절한 환불이 여기에 나타납니다.'],
    redirected: ['계좌로 보낸 환불이 없습니다', '결제 서비스 대신 계좌로 보낸 환불이 여기에 나타납니다.'],
  } satisfies Record<RefundState, readonly [string, string]>,
  order: '주문',
  claim: '클레임',
  noClaim: '주문 없는 결제',
  amount: '금액',
  expected: '예상',
  requestedAt: '신청',
  due: '환불 기한',
  late: '기한 지남',
  refusal: '거절 사유',
  reference: '이체 번호',
} as const
