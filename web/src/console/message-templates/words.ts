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
  testSms: '나에게 시험 문자 보내기',
  testedSms: '내 휴대폰으로 시험 문자를 보냈습니다. 결과는 발송 메시지에서 확인해 주세요.',
  size: (kind: string, bytes: number, most: number) => `${kind} · ${bytes} / ${most}바이트`,
  sizeNote: '변수에 예시 값을 넣고 센 길이입니다. 90바이트까지는 SMS, 2,000바이트까지는 LMS로 보냅니다.',
  tested: '내 이메일로 시험 메일을 보냈습니다. 결과는 발송 메시지에서 확인해 주세요.',
}
