// Which rules of a coupon apply: what the form shows, and what is sent of what it holds.
import { type Document, getIn, isDocument } from '../crud/formState'
import { recordWords } from '../crud/words'

/** Events that have a code. */
const WITH_CODE = ['LEVEL_UP', 'SPECIAL_DATE', 'SHOP_SPECIFIC_DAY']
/** Those that need one; a level up without one is any. */
export const needsCode = (event: unknown): boolean => event === 'SPECIAL_DATE' || event === 'SHOP_SPECIFIC_DAY'
export const hasCode = (event: unknown): boolean => WITH_CODE.includes(String(event))

/** The list that a target reads, by its type. */
const MEMBER_LISTS = { USERS: '_users', USER_TYPES: 'userTypes', USER_LEVELS: '_levels' }
const GOODS_LISTS = {
  PRODUCTS: '_products',
  CATEGORIES: '_categories',
  DISPLAYS: 'displayCodes',
  EXHIBITIONS: '_exhibitions',
}

/** A target with the list its type names, and the others empty. */
function targetOf(target: unknown, lists: Record<string, string>): Document {
  const given = isDocument(target) ? target : {}
  const type = typeof given.type === 'string' && given.type !== '' ? given.type : 'ALL'
  const others = Object.values(lists).filter((list) => list !== lists[type])
  return { ...given, type, ...Object.fromEntries(others.map((list) => [list, []])) }
}

function roundOf(round: unknown, isDownload: boolean): Document {
  const given = isDocument(round) ? round : {}
  const type = given.type || 'single'
  const numbers = (list: unknown) => (Array.isArray(list) ? list : [])
  return {
    ...given,
    type,
    includeds: type === 'bounded' ? numbers(given.includeds) : [],
    // One that is downloaded misses no round.
    excludeds: type === 'infinite' && !isDownload ? numbers(given.excludeds) : [],
  }
}

function eventOf(issue: Document): Document | null {
  const type = getIn(issue, 'event.type')
  if (issue.type !== 'instant' || !type) return null
  return { type, code: hasCode(type) ? getIn(issue, 'event.code') || null : null }
}

/** What is sent of a coupon: what does not apply is left empty, so that nothing unseen contradicts what is seen. */
export function onlyWhatApplies(coupon: Document): Document {
  const { issue, usage, unit } = coupon
  return {
    ...coupon,
    ...(unit === 'AMOUNT' && { limit: null }),
    ...('_seller' in coupon && !coupon._seller && { share: null }),
    ...(isDocument(issue) && {
      issue: {
        ...issue,
        event: eventOf(issue),
        round: roundOf(issue.round, issue.type !== 'instant'),
        target: targetOf(issue.target, MEMBER_LISTS),
      },
    }),
    ...(isDocument(usage) && { usage: { ...usage, target: targetOf(usage.target, GOODS_LISTS) } }),
  }
}

/** A copy has the rules and the name of what it is a copy of, and nothing of its history. */
export function copyOfCoupon(record: Document): Document {
  const { _id, _issuer, version, removed, createdAt, updatedAt, ...rules } = record
  return onlyWhatApplies({ ...rules, name: recordWords.copyName(String(rules.name ?? '')) })
}

type RoundRule = { type: unknown; rounds: readonly unknown[]; isDownload: boolean; count: number }

/** How often one member receives it, in words. */
export function roundText({ type, rounds, isDownload, count }: RoundRule): string {
  const nths = rounds.map((n) => `${String(n)}회`).join(', ')
  const each = count > 1 ? ` 한 번에 ${count}장씩 받습니다.` : ''
  const nth = isDownload
    ? '1회는 처음 내려받을 때, 2회는 두 번째로 내려받을 때입니다.'
    : '1회는 발급 조건을 처음 만났을 때, 2회는 두 번째로 만났을 때입니다.'
  switch (type) {
    case 'bounded':
      return `${nths ? `회원마다 ${nths}에만 받습니다.` : '회원이 받을 회차를 적어 주세요.'} ${nth}${
        isDownload ? ' 내려받는 쿠폰은 1회부터 빠짐없이 적어야 합니다.' : ''
      }${each}`
    case 'infinite':
      return isDownload
        ? `회원이 원하는 만큼 내려받습니다.${each}`
        : `${nths ? `${nths}를 빼고 ` : ''}발급 조건을 만날 때마다 받습니다.${nths ? ` ${nth}` : ''}${each}`
    default:
      return `회원마다 한 번만 받습니다.${each}`
  }
}
