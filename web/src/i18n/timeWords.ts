// Relative times.
export const timeWords = {
  // English, as quoted in the specification (V294, reading 26).
  justNow: 'just now',
  minutes: (n: number) => `${n}분 전`,
  hours: (n: number) => `${n}시간 전`,
  days: (n: number) => `${n}일 전`,
  weeks: (n: number) => `${n}주 전`,
  years: (n: number) => `${n}년 전`,
  ended: '종료',
  leftSeconds: (n: number) => `${n}초 남음`,
  leftMinutes: (n: number) => `${n}분 남음`,
  leftHours: (n: number) => `${n}시간 남음`,
  leftDays: (n: number) => `${n}일 남음`,
} as const
