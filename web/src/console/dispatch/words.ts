// Texts of the dispatch list, its files and its prints.
import { grouped } from '../../i18n/number'
import type { DispatchState } from './states'

type Numbers = Record<'rows' | 'updates' | 'unchanged' | 'errors', number>

export const dispatchWords = {
  title: '발송',
  states: {
    new: '신규',
    preparing: '준비중',
    late: '발송 지연',
    shipping: '배송중',
    arrived: '배송완료',
  } satisfies Record<DispatchState, string>,
  none: {
    new: ['새로 결제된 주문이 없습니다.', '결제가 완료되면 여기에서 준비 처리합니다.'],
    preparing: ['준비 중인 주문이 없습니다.', '준비 처리한 주문을 여기에서 발송합니다.'],
    late: ['발송이 늦은 주문이 없습니다.', '결제 후 3영업일 안에 보내지 않은 주문과 지연을 알린 주문을 표시합니다.'],
    shipping: ['배송 중인 주문이 없습니다.', '송장을 등록한 주문을 표시합니다.'],
    arrived: ['도착한 주문이 없습니다.', '배송이 완료되고 구매 확정을 기다리는 주문을 표시합니다.'],
  } satisfies Record<DispatchState, readonly [string, string]>,
  search: '주문번호, 연락처, 이름, 닉네임',
  found: '주문번호의 일부(3자 이상), 송장번호, 상품명, 연락처나 그 끝 4자리, 이름이나 닉네임 전체로 찾습니다.',
  dueToday: (n: number) => `오늘까지 보낼 주문 ${grouped(n)}건`,
  sums: (purchases: number, pieces: number) => `${grouped(purchases)}건 · ${grouped(pieces)}개`,
  selected: '선택',
  whole: '전체',
  fits: (action: string, n: number, all: number) => (n === all ? `${action}` : `${action} ${n}/${all}`),
  columns: { shipBy: '발송 기한', method: '배송 방법', invoice: '송장' },
  methods: { GENERAL: '택배', EXPRESS: '퀵', PICK_UP: '방문 수령', COMPANY: '직접 배송' },
  importInvoices: '송장 파일 올리기',
  importTitle: '송장 파일로 발송',
  importText:
    '택배사 프로그램에서 받은 엑셀(xlsx)이나 CSV를 올려 주세요. 구매번호나 주문번호, 택배사, 송장번호 항목이 있어야 합니다. 발송할 내용을 먼저 보여 드리며, 같은 파일을 다시 올려도 두 번 발송하지 않습니다. 한 파일에 5,000행까지 올릴 수 있습니다.',
  importSummary: (n: Numbers) =>
    `전체 ${grouped(n.rows)}행: 발송 ${grouped(n.updates)}, 이미 발송 ${grouped(n.unchanged)}, 오류 ${grouped(n.errors)}`,
  courier: '택배사 항목이 없는 행의 택배사',
  exportParcels: '택배사 파일 받기',
  exportHint: '받는 분의 연락처와 주소가 들어 있습니다. 내려받은 기록이 각 주문에 남습니다.',
  print: '인쇄',
  printed: {
    title: '라벨·명세서 인쇄',
    lead: '받는 분 정보를 읽은 기록이 각 주문에 남습니다.',
    nothing: '인쇄할 주문이 없습니다.',
    nothingText: '발송 목록에서 주문을 선택하고 인쇄를 눌러 주세요.',
    slips: '거래명세서 (A4)',
    labels: '라벨 (100 × 150)',
    go: '인쇄하기',
    count: (n: number) => `${grouped(n)}장`,
    without: '인쇄하지 않는 주문상품',
    slip: '거래명세서',
    receiver: '받는 분',
    sender: '주문자',
    orderNo: '주문번호',
    message: '배송 메시지',
    product: '상품',
    code: '상품코드',
    quantity: '수량',
    total: '합계',
    back: '발송 목록으로',
  },
} as const
