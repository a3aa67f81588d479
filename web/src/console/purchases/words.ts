// Texts of the list of purchases and of the actions on them.
import { statusWords } from '../../i18n/statusWords'
export const purchaseWords = {
  action: {
    prepare: '준비 처리',
    ship: '송장 등록',
    correctInvoice: '송장 수정',
    delay: '배송 지연',
    deliver: '배송완료',
    cancel: '주문 취소',
    approveCancel: '취소 승인',
    rejectCancel: '취소 거부',
  } as Record<string, string>,
  tabs: {
    all: '전체',
    nonpayment: statusWords.orderStatus.ORDER_NONPAYMENT,
    payment: statusWords.orderStatus.ORDER_PAYMENT,
    delivery: '배송',
    cancel: '취소',
    exchange: '교환',
    return: '반품',
    complete: statusWords.purchaseStatus.PURCHASE_COMPLETE,
  },
  list: {
    search: '주문번호, 상품명, 이름, 연락처',
    /** What an empty tab says: what is not there, and what brings it there. */
    none: {
      all: ['아직 주문이 없습니다.', '주문이 들어오면 여기에서 준비하고 발송합니다.'],
      nonpayment: ['입금을 기다리는 주문이 없습니다.', '가상계좌 주문은 입금이 확인될 때까지 여기에 표시됩니다.'],
      payment: ['새로 결제된 주문이 없습니다.', '결제가 완료되면 여기에서 준비 처리합니다.'],
      delivery: ['배송 중인 주문이 없습니다.', '준비 처리한 주문은 여기에서 송장을 등록합니다.'],
      cancel: ['취소된 주문이 없습니다.', '구매자가 취소를 요청하면 여기에서 승인하거나 거부합니다.'],
      exchange: ['교환 중인 주문이 없습니다.', '교환 요청이 들어오면 여기에 표시됩니다.'],
      return: ['반품 중인 주문이 없습니다.', '반품 요청이 들어오면 여기에 표시됩니다.'],
      complete: ['구매가 확정된 주문이 없습니다.', '배송이 완료되고 구매가 확정되면 여기에 표시됩니다.'],
    },
    columns: {
      orderNo: '주문번호',
      product: '상품',
      paid: '결제금액',
      status: '상태',
      people: '주문자 / 받는 분',
      createdAt: '주문일시',
    },
    unpaid: '미결제',
    receivedBy: (name: string) => `받는 분 ${name}`,
    forStaff: '여러 판매자의 상품이 함께 있는 신청이라 운영자가 처리합니다.',
    selectFirst: '선택한 주문에 함께 처리할 수 있는 작업이 없습니다.',
  },
} as const
