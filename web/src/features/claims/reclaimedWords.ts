// Texts about points that a refund gives back or takes back.
export const reclaimedWords = {
  returned: '적립금 반환',
  points: '적립금 회수',
  why: '구매확정으로 적립된 적립금을 회수합니다.',
  money: '사용한 적립금 차감',
  spent: '적립된 적립금을 이미 사용해 환불 금액에서 뺍니다.',
}
