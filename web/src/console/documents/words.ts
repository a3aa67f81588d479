// Texts of the list of documents.
export const documentWords = {
  title: '가입 서류',
  lead: '사업자회원이 가입하면서 제출한 사업자등록증 사본입니다. 운영자와 제출한 본인만 볼 수 있습니다.',
  company: '상호',
  kind: '종류',
  size: '크기',
  uploadedAt: '제출일시',
  contents: '내용',
  empty: '아직 제출된 서류가 없습니다.',
  emptyText: '사업자회원이 가입하면 사업자등록증 사본이 여기에 표시됩니다.',
} as const
