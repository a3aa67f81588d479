// Texts of opening a return or exchange for the buyer.
export const claimDialogWords = {
  lead: '구매자를 대신해 접수합니다. 수거지는 주문의 배송지입니다.',
  confirmed: '구매가 확정된 상품입니다. 반품을 승인하면 판매자 정산과 적립된 적립금이 회수됩니다.',
  pieces: '수량',
  reason: '사유',
  reasonHint: '구매자와 판매자에게 보입니다.',
  fault: '배송비를 부담할 쪽',
  replacement: '새로 보낼 상품',
  same: '같은 상품',
  left: (n: number) => `재고 ${n}개`,
  none: '보낼 수 있는 재고가 없습니다. 재고를 채우거나 반품으로 접수해 주세요.',
  fee: (amount: string) => `구매자 책임이면 교환 배송비(${amount})를 입금받은 뒤 새 상품을 보냅니다.`,
  missing: {
    reason: '사유를 두 글자 이상 입력해 주세요.',
    fault: '배송비를 부담할 쪽을 선택해 주세요.',
    option: '새로 보낼 상품을 선택해 주세요.',
  },
  done: {
    requestReturn: '반품을 접수했습니다. 수거를 진행해 주세요.',
    requestExchange: '교환을 접수했습니다. 승인한 뒤 수거를 진행해 주세요.',
  },
} as const
