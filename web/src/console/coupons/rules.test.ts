// What is sent of a coupon's rules, and its rounds in words.
import { expect, it } from 'vitest'
import { copyOfCoupon, onlyWhatApplies, roundText } from './rules'

const coupon = (issue: object, usage: object = {}, more: object = {}) =>
  onlyWhatApplies({ unit: 'PERCENT', value: 10, limit: 30_00, issue, usage, ...more })

it('leaves empty what does not apply, whatever was typed into it before', () => {
  const issue = {
    type: 'request',
    event: { type: 'LEVEL_UP', code: 'gold' },
    round: { type: 'infinite', includeds: [1], excludeds: [2] },
    target: { type: 'USER_LEVELS', _levels: ['gold'], _users: ['m1'], userTypes: ['PERSON'] },
  }
  const usage = { target: { type: 'DISPLAYS', displayCodes: ['MERIT'], _products: ['p1'], _categories: ['c'] } }
  expect(coupon(issue, usage)).toMatchObject({
    limit: 30_00,
    issue: {
      event: null,
      // One that is downloaded misses no round.
      round: { type: 'infinite', includeds: [], excludeds: [] },
      target: { type: 'USER_LEVELS', _levels: ['gold'], _users: [], userTypes: [] },
    },
    usage: { target: { type: 'DISPLAYS', displayCodes: ['MERIT'], _products: [], _categories: [] } },
  })
  const instant = coupon({ ...issue, type: 'instant' })
  expect(instant.issue).toMatchObject({ event: { type: 'LEVEL_UP', code: 'gold' }, round: { excludeds: [2] } })
})

it('sends no code of an event that has none, no most of an amount, and no share without a seller', () => {
  const joined = coupon({ type: 'instant', event: { type: 'USER_JOIN', code: 'gold' } })
  expect(joined.issue).toMatchObject({ event: { type: 'USER_JOIN', code: null } })
  // An event that was not chosen is none, so that the server says so.
  expect(coupon({ type: 'instant', event: { type: null, code: '' } }).issue).toMatchObject({ event: null })
  expect(coupon({}, {}, { unit: 'AMOUNT', _seller: '', share: 50 })).toMatchObject({ limit: null, share: null })
  expect(coupon({}, {}, { _seller: 's1', share: 50 })).toMatchObject({ share: 50 })
  // What was not changed is not sent.
  expect(onlyWhatApplies({ name: 'a' })).toEqual({ name: 'a' })
})

it('copies the rules and not the history', () => {
  const copy = copyOfCoupon({ _id: 'c1', version: 3, name: '생일', value: 10, createdAt: 'x', _issuer: 'm', issue: {} })
  expect(Object.keys(copy).sort()).toEqual(['issue', 'name', 'value'])
  expect(copy.name).toBe('생일 사본')
})

it('says in words how often one member receives it', () => {
  const text = (type: string, rounds: number[], isDownload = false, count = 1) =>
    roundText({ type, rounds, isDownload, count })
  expect(text('single', [])).toBe('회원마다 한 번만 받습니다.')
  expect(text('bounded', [1, 3])).toContain('회원마다 1회, 3회에만 받습니다. 1회는 발급 조건을 처음 만났을 때')
  expect(text('bounded', [1, 2], true)).toContain('1회부터 빠짐없이')
  expect(text('infinite', [2])).toContain('2회를 빼고 발급 조건을 만날 때마다')
  expect(text('infinite', [], true, 3)).toBe('회원이 원하는 만큼 내려받습니다. 한 번에 3장씩 받습니다.')
})
