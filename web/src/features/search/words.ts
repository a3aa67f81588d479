// Texts of the search box, its panel and the lists of terms.
export const searchWords = {
  suggestions: '추천 검색어',
  recent: '최근 검색어',
  noRecent: '최근 검색어가 없습니다.',
  forget: (term: string) => `${term} 삭제`,
  forgetAll: '전체 삭제',
  ranking: '실시간 인기 검색어',
  rankingLine: '실시간 인기 검색어 한 줄',
  tags: '인기 태그',
  recentProducts: '최근 본 상품',
}
