// Texts of the purchase list and its actions.
import { object } from '../../i18n/particles'
import { statusWords } from '../../i18n/statusWords'
import type { Action } from '../types'
import { correctsPickup } from './purchaseActions'
/** Labels of actions on a purchase. */
export const actionText = (action: Action, row: { collectionStatus?: string } = {}): string =>
  correctsPickup(action, row) ? purchaseWords.correctPickup : (purchaseWords.action[action] ?? action)

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
    pickUpGoods: '수거 처리',
    inspectGoods: '검수',
    approveReturn: '반품 승인',
    rejectReturn: '반품 거부',
    acceptExchange: '교환 승인',
    rejectExchange: '교환 거부',
    receiveFee: '배송비 입금 확인',
    shipReplacement: '교환 상품 발송',
    correctReplacement: '교환 송장 수정',
    delayReplacement: '교환 배송 지연',
    completeExchange: '교환 배송완료',
    requestReturn: '반품 접수',
    requestExchange: '교환 접수',
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
  correctPickup: '수거 송장 수정',
  pickUp: '송장 없이 수거했다면 비워 두세요.',
  sendBack: '수거한 상품은 구매자에게 다시 보냅니다. 보내는 송장을 입력해 주세요.',
  sendBackExchange:
    '수거한 상품은 구매자에게 다시 보냅니다. 보내는 송장을 입력해 주세요. 구매자가 교환 비용을 결제했다면 결제한 수단으로 환불됩니다.',
  sendReplacement: '새 상품을 보내는 송장을 입력해 주세요. 수거지로 보냅니다.',
  fee: {
    lead: '구매자가 이체한 교환 배송비를 확인한 뒤 기록해 주세요. 기록하면 새 상품을 보낼 수 있습니다.',
    amount: '받을 교환 배송비',
    reference: '이체 확인번호',
    referenceMissing: '이체 확인번호를 두 글자 이상 입력해 주세요.',
    none: '받을 교환 배송비가 없습니다.',
    done: '교환 배송비 입금을 기록했습니다.',
  },
  /** Staff wait for it before the replacement can be sent. */
  feeAwaited: '교환 비용 입금 대기',
  inspect: {
    lead: '도착한 상품을 세고 상태를 확인해 주세요.',
    requested: '신청 수량',
    reason: '신청 사유',
    arrived: '도착한 수량',
    resellable: '다시 팔 수 있는 수량',
    fault: '배송비를 부담할 쪽',
    faultHint: (who: string) => `구매자는 ${who} 책임으로 신청했습니다.`,
    faultMissing: '배송비를 부담할 쪽을 선택해 주세요.',
    missing: (n: number, claim: string) => `도착하지 않은 ${n}개는 ${claim}이 거부됩니다.`,
    writtenOff: (n: number) => `${n}개는 재고로 돌아가지 않고 폐기됩니다.`,
    none: (claim: string) => `하나도 도착하지 않았다면 검수하지 말고 ${object(claim)} 거부해 주세요.`,
    fee: '구매자 책임이면 교환 배송비를 입금받은 뒤 새 상품을 보냅니다.',
    done: '검수 결과를 저장했습니다.',
    save: '검수 완료',
  },
  list: {
    search: '주문번호, 상품명, 이름, 연락처',
    /** Texts of an empty tab: what it lists, and how purchases get there. */
    none: {
      all: ['아직 주문이 없습니다.', '주문이 들어오면 여기에서 준비하고 발송합니다.'],
      nonpayment: ['입금을 기다리는 주문이 없습니다.', '가상계좌 주문은 입금이 확인될 때까지 여기에 표시됩니다.'],
      payment: ['새로 결제된 주문이 없습니다.', '결제가 완료되면 여기에서 준비 처리합니다.'],
      delivery: ['배송 중인 주문이 없습니다.', '준비 처리한 주문은 여기에서 송장을 등록합니다.'],
      cancel: ['취소된 주문이 없습니다.', '구매자가 취소를 요청하면 여기에서 승인하거나 거부합니다.'],
      exchange: [
        '교환 중인 주문이 없습니다.',
        '교환 요청이 들어오면 여기에서 승인하고, 수거하고 검수한 뒤 새 상품을 보냅니다.',
      ],
      return: ['반품 중인 주문이 없습니다.', '반품 요청이 들어오면 여기에서 수거하고 검수한 뒤 승인하거나 거부합니다.'],
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
    fault: (whose: string) => `배송비 부담: ${whose}`,
    forStaff: '여러 판매자의 상품이 함께 있는 신청이라 운영자가 처리합니다.',
    reason: (kind: string) => `${kind} 사유`,
    selectFirst: '선택한 주문에 함께 처리할 수 있는 작업이 없습니다.',
  },
} as const
