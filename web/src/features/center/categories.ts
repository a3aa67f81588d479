// Names of the categories of the customer centre.

/** What a question is about. */
export const TOPICS = {
  ORDER: '주문·결제',
  DELIVERY: '배송',
  CLAIM: '취소·교환·반품',
  BENEFIT: '쿠폰·적립금',
  MEMBER: '회원',
  OTHER: '기타',
} as const

/** What a contact is about. */
export const CONTACT_TOPICS = {
  PARTNERSHIP: '제휴·광고',
  SELLING: '입점',
  BULK: '대량 구매',
  OTHER: '기타',
} as const

/** What an announcement is about. */
export const NOTICE_CATEGORIES = {
  GENERAL: '안내',
  EVENT: '이벤트',
  DELIVERY: '배송',
  SERVICE: '서비스',
} as const

/** The key of a category in an address; undefined for all, or for none of them. */
export const categoryOf = <K extends string>(names: Record<K, string>, text: string): K | undefined =>
  Object.keys(names).find((key): key is K => key === text)
