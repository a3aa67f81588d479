// Texts of the way out of advertising.
export const unsubscribeWords = {
  title: '광고 수신 거부',
  lead: '장부상회에서 보내는 광고성 메일과 알림을 더 받지 않습니다. 주문과 계정에 관한 안내는 계속 보내 드립니다.',
  refuse: '광고 수신 거부하기',
  doneTitle: '수신 거부를 처리했습니다',
  done: '에 장부상회의 광고성 정보 수신 동의를 철회했습니다.',
  doneHint: '다시 받으시려면 로그인한 뒤 마이페이지의 내 정보에서 동의해 주세요.',
  toShop: '쇼핑몰로 가기',
  noToken: '주소가 완전하지 않습니다. 메일에 있는 주소를 그대로 열어 주세요.',
} as const
