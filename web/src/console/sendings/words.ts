// Texts of sendings: alarms and mails to many members.
export const sendingWords = {
  send: { ALARM: '알림 보내기', MAIL: '메일 보내기' },
  lead: '받을 회원을 먼저 세고 미리 본 다음 보냅니다. 광고는 수신에 동의한 회원에게 08:00~21:00에만 보냅니다.',
  target: '받을 회원',
  targets: { all: '모든 회원', sellers: '모든 판매자', people: '모든 개인 회원', levels: '등급', usernames: '아이디' },
  usernamesLabel: '아이디',
  usernamesHint: '한 줄에 하나씩 입력합니다.',
  usernamesMissing: '아이디를 하나 이상 입력해 주세요.',
  levelsMissing: '등급을 하나 이상 선택해 주세요.',
  advertising: '광고입니다',
  advertisingHint: '제목 맨 앞에 (광고)를 붙이고, 동의한 회원에게만 보냅니다.',
  name: '제목',
  nameInvalid: '제목을 두 글자 이상 60자 이내로, < 와 > 없이 입력해 주세요.',
  content: '내용',
  contentHint: '개인정보는 쓰지 마세요. 모든 받는 회원에게 같은 내용이 갑니다.',
  contentInvalid: '내용을 두 글자 이상 1,000자 이내로, < 와 > 없이 입력해 주세요.',
  url: '열 주소',
  urlHint: '쇼핑몰 안의 주소입니다. 예: /sub/event',
  urlInvalid: '쇼핑몰 안의 주소를 /로 시작해 입력해 주세요.',
  pace: '분당 발송 수',
  paceInvalid: '분당 발송 수를 1~6,000 사이로 입력해 주세요.',
  startsAt: '시작 시각',
  startsAtHint: '비워 두면 바로 보냅니다.',
  count: '받을 회원 세기',
  confirm: (n: number) => `${n.toLocaleString('ko-KR')}명에게 보내기`,
  preview: '미리 보기',
  nobody: '지금 받을 회원이 없습니다.',
  reach: (members: number, receiving: number) =>
    `대상 ${members.toLocaleString('ko-KR')}명 가운데 ${receiving.toLocaleString('ko-KR')}명이 받습니다.`,
  begins: '시작',
  started: '발송을 등록했습니다.',
  title: { ALARM: '알림 발송', MAIL: '메일 발송' },
  none: '보낸 것이 없습니다',
  noneText: '대상을 정해 보내면 진행 상황이 여기에 표시됩니다.',
  what: '제목',
  to: '대상',
  state: '진행',
  pace_: '속도',
  perMinute: (n: number) => `분당 ${n.toLocaleString('ko-KR')}명`,
  act: '처리',
  progress: (served: number, members: number) =>
    `${served.toLocaleString('ko-KR')} / ${members.toLocaleString('ko-KR')}명`,
  skipped: (n: number) => `제외 ${n.toLocaleString('ko-KR')}명`,
  next: '다음 발송',
  states: { PLANNED: '예정', SENDING: '발송 중', DONE: '완료', STOPPED: '중단됨', WITHDRAWN: '회수됨' },
  stop: '중단',
  stopTitle: '발송을 중단할까요?',
  stopLead: '아직 보내지 않은 회원에게는 가지 않습니다. 이미 보낸 것은 그대로 남습니다.',
  stopped: '발송을 중단했습니다.',
  withdraw: '회수',
  withdrawTitle: '보낸 알림을 회수할까요?',
  withdrawLead: '남은 발송을 중단하고, 이미 받은 회원의 알림함에서도 지웁니다. 이력은 남습니다.',
  withdrawn: '알림을 회수했습니다.',
  change: '변경',
  changeTitle: '발송 변경',
  changed: '발송을 변경했습니다.',
  actOn: (act: string, title: string) => `${title} ${act}`,
  targetOf: (target: string) =>
    target === 'ALL'
      ? '모든 회원'
      : target === 'MEMBERS'
        ? '고른 회원'
        : target.startsWith('LEVEL:')
          ? `등급 ${target.slice(6)}`
          : target === 'TYPE:COMPANY'
            ? '모든 판매자'
            : '모든 개인 회원',
} as const
