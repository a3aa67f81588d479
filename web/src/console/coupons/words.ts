// Texts of the coupon's form.
export const couponWords = {
  eventHints: {
    USER_JOIN: '가입하면 바로 받습니다.',
    LEVEL_UP: '등급이 오르면 받습니다. 가입할 때 처음 받는 등급은 오른 것이 아닙니다.',
    SPECIAL_DATE:
      '해마다 그날 받습니다. 생일과 설립일은 내 정보에 적은 회원만 받습니다. 2월 29일은 그날이 없는 해에는 2월 28일에 받습니다. 생일 달은 그 달 어느 날이든 받고, 그 달 말일까지 쓸 수 있습니다.',
    SHOP_SPECIFIC_DAY: '정한 날에 대상 회원 모두가 받습니다.',
    PURCHASE_COMPLETE: '구매를 확정하면 받습니다.',
    TEXT_REVIEW: '글로 된 후기를 쓰면 받습니다.',
    PHOTO_REVIEW: '사진이 있는 후기를 쓰면 받습니다.',
  } as Record<string, string>,
  chooseEvent: '선택해 주세요',
  anyLevel: '어느 등급이든',
  reachedLevel: '오른 등급',
  specialDate: '기념일',
  specialDates: { BIRTHDAY: '생일', BIRTHDAY_MONTH: '생일 달', FOUNDING_DATE: '설립일', JOIN_DATE: '가입 기념일' },
  shopDays: '쇼핑몰이 정한 날',
  shopDay: '날짜',
  everyYear: '해마다',
  addDay: '날짜 추가',
  dayOfYear: (month: number, day: number) => `해마다 ${month}월 ${day}일`,
  removeDay: (day: string) => `${day} 빼기`,
  reachForStaff: '받을 수 있는 회원은 운영자에게만 보입니다.',
  userTypes: { PERSON: '개인회원', COMPANY: '사업자회원' },
} as const
