// Texts of confirming an e-mail address.
export const confirmEmailWords = {
  title: '이메일 확인',
  lead: '메일로 받은 주소입니다. 아래 버튼을 누르면 회원 정보의 이메일이 확인됩니다.',
  login: '메일을 받은 회원으로 로그인하면 이메일을 확인할 수 있습니다. 가입하지 않으셨다면 이 창을 닫아 주세요.',
  confirm: '이메일 확인하기',
  doneTitle: '이메일을 확인했습니다',
  done: '이제 이 주소로 아이디와 비밀번호를 찾을 수 있습니다.',
  toInfo: '내 정보 보기',
  again: '내 정보에서 다시 받기',
  noToken: '주소가 완전하지 않습니다. 메일에 있는 주소를 그대로 열어 주세요.',
} as const
