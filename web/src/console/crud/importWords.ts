// Texts of the import of records from a file.
import { grouped } from '../../i18n/number'

type ImportNumbers = Record<'rows' | 'creates' | 'updates' | 'unchanged' | 'errors', number>
const numbersOf = (n: ImportNumbers): string =>
  `등록 ${grouped(n.creates)}, 수정 ${grouped(n.updates)}, 그대로 ${grouped(n.unchanged)}, 오류 ${grouped(n.errors)}`

export const importWords = {
  title: (title: string) => `${title} 일괄 등록`,
  text: '목록에서 ‘엑셀 다운로드’로 받은 파일(xlsx)이나 CSV를 수정하고 행을 추가해 업로드해 주세요. 두 번째 행의 항목 이름은 그대로 두어야 합니다. 변경될 내용을 먼저 보여 드리며, 같은 파일을 다시 업로드해도 중복 등록되지 않습니다. 한 파일에 50,000행, 20MB까지 업로드할 수 있습니다.',
  tooLarge: '파일이 너무 큽니다. 20MB 이하로 나누어 업로드해 주세요.',
  unreadable: '엑셀(xlsx)이나 CSV(csv) 파일만 읽을 수 있습니다. 엑셀에서 둘 중 한 형식으로 저장해 다시 올려 주세요.',
  summary: (n: ImportNumbers) => `전체 ${grouped(n.rows)}행: ${numbersOf(n)}`,
  soFar: (n: ImportNumbers, all: number) => `전체 ${grouped(all)}행 중 ${grouped(n.rows)}행: ${numbersOf(n)}`,
  far: (done: number, all: number) => `${grouped(all)}행 중 ${grouped(done)}행을 처리했습니다.`,
  shown: (n: number) => `${grouped(n)}행만 표시합니다.`,
  left: (done: number, left: number) =>
    `${grouped(done)}행을 반영했고, 오류가 있는 ${grouped(left)}행은 반영하지 않았습니다.`,
  saveFaults: '오류 목록 다운로드',
  faults: (title: string) => `${title} 업로드 오류`,
  id: '번호',
  row: '행',
  name: '이름',
  changes: '내용',
  actions: { create: '등록', update: '수정', error: '오류' } as Record<string, string>,
  go: (n: number) => `${grouped(n)}행 반영하기`,
  goNone: '반영하기',
  goAll: '모두 반영하기',
  goOn: '이어서 반영하기',
  withErrors: '오류가 있는 행은 제외하고 반영합니다.',
  imported: (n: number) => `${grouped(n)}행을 반영했습니다.`,
  nothing: '반영할 행이 없습니다.',
} as const
