// Texts of payment failures.
/** Payment failures, by the code in the address. */
export const REASONS: Record<string, string> = {
  payment_refused: '카드사 또는 은행에서 결제를 승인하지 않았습니다.',
  price_changed: '결제하는 동안 금액이 변경되었습니다.',
  sold_out: '결제하는 동안 상품이 품절되었습니다.',
  not_allowed_now: '이미 결제되었거나 취소된 주문이라 결제할 수 없습니다.',
  unavailable: '결제 결과를 아직 확인하지 못했습니다. 잠시 후 결제 확인을 눌러 주세요.',
  window_closed: '결제창이 닫혔습니다.',
  // Window opened by an older version, whose address did not name the order yet.
  not_found: '결제창이 닫혔거나 카드사에서 결제를 거절했습니다.',
  pay_window: '결제창이 닫혔거나 열리지 않았습니다.',
  pay_script: '결제창을 불러오지 못했습니다. 인터넷 연결이나 차단 프로그램을 확인해 주세요.',
  network: '결제창을 준비하지 못했습니다. 인터넷 연결을 확인해 주세요.',
}
export const UNKNOWN = '결제를 완료하지 못했습니다. 결제된 금액이 있다면 자동으로 환불됩니다.'
