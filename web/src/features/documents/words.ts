// Texts of documents that companies upload while joining.
export const documentWords = {
  copy: '사업자등록증 사본',
  of: (who: string) => `${who} 사업자등록증 사본`,
  picture: '사진',
  pdf: 'PDF',
  view: '보기',
  save: '다운로드',
  saved: (name: string) => `${name} 파일을 다운로드했습니다.`,
} as const
