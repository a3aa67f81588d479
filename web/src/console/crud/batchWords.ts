// Texts of actions on many rows.
import { grouped } from '../../i18n/number'
export const batchWords = {
  running: (done: number, all: number) => `${all}건 중 ${done}건 처리`,
  askAll: (n: number) =>
    `조건에 맞는 ${grouped(n)}건을 한 건씩 처리합니다. 처리할 수 없는 주문상품은 이유를 알려 드립니다.`,
  stop: '여기서 중단',
  title: '처리 결과',
  done: '완료',
  refused: '거절',
  summary: (done: number, refused: number) => (refused ? `${done}건 완료, ${refused}건 거절` : `${done}건 완료`),
  courier: '택배사',
  courierMissing: '택배사를 선택해 주세요.',
  invoiceNo: '송장번호',
  unnumbered: '이 배송 방법에는 송장번호가 없습니다.',
  invoiceMissing: '송장번호를 입력해 주세요.',
  reason: '사유',
  reasonMissing: '사유를 두 글자 이상 입력해 주세요.',
  reasonHint: '구매자에게 표시되고 장부에 남습니다.',
  refundSum: '환불 합계',
  pointsSum: '돌려줄 적립금',
  refuses: '처리할 수 없는 주문상품',
  refundAnd: (sum: string, action: string) => `${sum} 환불하고 ${action}`,
} as const
