// Texts of the tools for message templates.
export const words = {
  chooseFirst: '메시지를 먼저 선택해 주세요.',
  variables: '사용할 수 있는 변수',
  insert: (label: string) => `${label} 변수 넣기`,
  required: '필수',
  useBuiltIn: '기본 문구 넣기',
  preview: '미리 보기',
  previewTitle: '미리 보기',
  test: '나에게 시험 메일 보내기',
  tested: '내 이메일로 시험 메일을 보냈습니다. 결과는 발송 메시지에서 확인해 주세요.',
}
