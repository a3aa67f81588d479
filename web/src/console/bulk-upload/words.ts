// Texts of the upload of products.
import { grouped } from '../../i18n/number'

export const uploadWords = {
  title: '상품 일괄 업로드',
  text: '엑셀이나 CSV 파일로 상품을 한 번에 등록하고 수정합니다. 한 파일에 50,000행, 20MB까지 올릴 수 있습니다.',
  formTitle: '1. 양식에 작성하기',
  formText:
    '양식을 다운로드해 상품 시트에 한 행에 하나씩 입력해 주세요. 옵션과 옵션별 재고는 옵션 시트에 상품코드와 함께 입력합니다. 항목마다 입력할 수 있는 값과 예시가 파일에 들어 있습니다. 상품 목록에서 다운로드한 파일도 그대로 올릴 수 있습니다.',
  formButton: '양식 다운로드',
  fileTitle: '2. 파일 확인하기',
  fileText: '파일을 선택하면 저장하기 전에 모든 행을 확인해 오류를 한 번에 보여 드립니다.',
  existing: '이미 등록된 상품코드',
  choices: [
    { value: 'update', label: '수정하기', text: '파일의 내용으로 상품을 수정합니다.' },
    { value: 'skip', label: '건너뛰기', text: '새 상품코드만 등록합니다.' },
  ],
  choose: '파일 선택',
  chooseOther: '다른 파일 선택',
  preview: '미리보기',
  start: (n: number) => `${grouped(n)}행 업로드하기`,
  startNone: '업로드하기',
  started: '업로드를 시작했습니다. 화면을 닫아도 계속 진행합니다.',
  runsTitle: '3. 진행 상황',
  runsEmpty: '아직 올린 파일이 없습니다.',
  runsEmptyText: '위에서 양식을 내려받아 작성한 뒤 파일을 선택해 주세요.',
  states: { running: '진행 중', stopped: '중단함', done: '완료', failed: '실패' },
  progress: (done: number, rows: number) => `${grouped(rows)}행 중 ${grouped(done)}행 처리`,
  counts: (n: Record<'creates' | 'updates' | 'unchanged' | 'errors', number>) =>
    `등록 ${grouped(n.creates)} · 수정 ${grouped(n.updates)} · 그대로 ${grouped(n.unchanged)} · 오류 ${grouped(n.errors)}`,
  skips: '기존 상품 건너뜀',
  stop: '중단',
  goOn: '이어서 진행',
  refused: (n: number) => `오류 ${grouped(n)}행 다운로드`,
  refusedText: '오류 행과 사유가 담긴 파일입니다. 고쳐서 그대로 다시 올릴 수 있습니다.',
  products: '상품 목록 보기',
} as const
