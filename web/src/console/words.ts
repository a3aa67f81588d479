// Texts shared by several features of the console.
export const words = {
  period: {
    title: '기간',
    from: '시작일',
    to: '종료일',
    days: (n: number) => (n === 365 ? '최근 1년' : `최근 ${n}일`),
    anyTime: '전체 기간',
    partial: '날짜를 끝까지 입력해 주세요.',
    reversed: '시작일은 종료일보다 늦을 수 없습니다.',
  },
  pieces: (n: number) => `${n}개`,
  forgotten: '탈퇴한 회원',
} as const
