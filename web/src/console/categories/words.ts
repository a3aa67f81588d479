// Texts of the category tree.
export const categoryWords = {
  move: '옮기기',
  inside: '이 안으로',
  moveAsk: (name: string, to: string) =>
    to === '' ? `‘${name}’ 카테고리를 맨 위 단계로 옮길까요?` : `‘${name}’ 카테고리를 ‘${to}’ 안으로 옮길까요?`,
  movesFrom: (from: string) => `지금은 ${from === '' ? '맨 위 단계에' : `‘${from}’ 안에`} 있습니다.`,
  at: (name: string, to: string, nth: number) =>
    `${name}: ${to === '' ? '맨 위 단계' : `‘${to}’ 안`}의 ${nth}번째 자리입니다.`,
  moved: (name: string, to: string, nth: number) =>
    `‘${name}’ 카테고리를 ${to === '' ? '맨 위 단계' : `‘${to}’ 안`}의 ${nth}번째로 옮겼습니다.`,
  tooDeep: (name: string, levels: number) =>
    `‘${name}’ 카테고리를 그 자리로 옮길 수 없습니다. 하위 카테고리까지 ${levels}단계를 넘을 수 없습니다.`,
} as const
