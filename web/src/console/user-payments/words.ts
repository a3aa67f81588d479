// Texts of the list of what buyers are asked to pay besides their orders.
export const userPaymentWords = {
  title: '추가 결제',
  lead: '주문과 별도로 구매자에게 요청한 결제입니다. 교환 배송비는 검수를 마치면 요청되고, 받지 않기로 하면 교환이 바로 이어집니다.',
  all: '전체',
  status: '상태',
  search: '번호',
  searchHint: '결제번호, 주문번호, 구매번호',
  columns: {
    number: '결제번호 · 요청일',
    goods: '상품',
    purpose: '내용',
    amount: '금액',
    status: '상태',
    action: '처리',
  },
  purposes: { EXCHANGE_FEE: '교환 배송비' },
  statuses: { PAY_AWAITING: '결제 대기', PAY_COMPLETED: '결제 완료', PAY_CANCELED: '취소' },
  byTransfer: '계좌 입금',
  none: ['추가 결제가 없습니다', '구매자 책임인 교환 상품을 검수하면 배송비가 요청됩니다.'],
  noMatch: ['조건에 맞는 추가 결제가 없습니다', '번호나 상태를 바꿔 보세요.'],
  cancel: '받지 않기',
  cancelOf: (number: string) => `${number} 받지 않기`,
  cancelLead: (amount: string) =>
    `교환 배송비 ${amount}를 받지 않고 교환을 이어갑니다. 구매자에게 알림이 가고, 되돌릴 수 없습니다.`,
  reason: '사유',
  reasonMissing: '사유를 입력해 주세요.',
  canceled: '교환 배송비를 받지 않기로 했습니다.',
} as const
