// Texts of the point-in-time view.
export const timeTravelWords = {
  title: '시점 보기',
  lead: '슬라이더를 움직이면 당시의 주문을 장부에서 다시 계산해 보여 줍니다.',
  slider: '조회 시점',
  now: '지금 보기',
  nowShort: '지금',
  looking: '과거 시점을 보고 있습니다',
  none: '이 시점에는 아직 주문이 없었습니다.',
  next: '다음 기록에서 바뀌는 내용',
  nothing: '다음 기록에서 바뀌는 내용이 없습니다.',
  last: '마지막 기록입니다. 지금과 같습니다.',
  changes: '바뀔 값',
  earlier: '이전 기록',
  later: '다음 기록',
} as const
