// The small rules: money, dates, phone numbers, pages, status texts, searches, and what may be typed.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expiresAt } from '../api/jwt'
import { grouped } from '../i18n/number'
import { timeWords } from '../i18n/timeWords'
// The server writes it (api/tests/it/http/documents.rs).
import ago from '../testing/ago.json'
import { formatDate, relativeTime, timeLeft } from './date'
import { fileName, fileSize } from './files'
import { loginPath, safeRedirect } from './loginRedirect'
import { scrollManner } from './media'
import { formatMoney, parseMoney, setCurrency } from './money'
import { statusTone } from './order-status'
import { pageButtons, pageCount } from './pagination'
import { formatPhone } from './phone'
import { forgetSearch, forgetSearches, recentSearches, rememberSearch } from './recentSearches'
import { passwordSpecials } from './rules.json'
import * as rules from './validators'

describe('files', () => {
  it.each([
    [0, '0B'],
    [1023, '1023B'],
    [1024, '1KB'],
    [348_900, '341KB'],
    [1024 * 1024, '1MB'],
    [5_033_164, '4.8MB'],
  ])('of %i bytes are of %s', (bytes, text) => {
    expect(fileSize(bytes)).toBe(text)
  })
  it('have names every system takes', () => {
    expect(fileName('사업자등록증 사본 A/S: "바람"\n', 'pdf')).toBe('사업자등록증_사본_A_S_바람.pdf')
  })
})

describe('whole numbers', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [1_234_567, '1,234,567'],
    [-123, '-123'],
    [-123_456, '-123,456'],
  ])('%i is read as %s', (whole, text) => {
    expect(grouped(whole)).toBe(text)
  })
})

describe('money (V263, V264)', () => {
  it.each([
    [0, '$0.00'],
    [5, '$0.05'],
    [129_000, '$1,290.00'],
    [-3_050, '-$30.50'],
    [9_007_199_254_740_991, '$90,071,992,547,409.91'],
  ])('%i hundredths are %s', (amount, text) => {
    expect(formatMoney(amount)).toBe(text)
  })
  it('shows won without decimals', () => {
    expect(formatMoney(129_000, { sign: '₩', decimals: 0 })).toBe('₩1,290')
  })
  it.each([
    ['KRW', 0, '₩1,290', '1290', 129_000],
    ['KRW', 0, '₩1,290', '₩1,290', 129_000],
    ['KRW', 0, '₩1,290', '12.90', undefined],
    ['JPY', 0, '¥1,290', '¥1,290.00', 129_000],
    ['EUR', 2, '€1,290.00', '€12.9', 1_290],
    ['CHF', 2, 'CHF 1,290.00', 'CHF 1,290', 129_000],
    ['USD', 1, '$1,290.0', '12.95', undefined],
    ['nonsense', 2, '$1,290.00', '$1', 100],
  ])('is told and read in the currency of the setting: %s with %i decimals', (code, exponent, text, typed, read) => {
    setCurrency({ code, exponent })
    expect(formatMoney(129_000)).toBe(text)
    expect(parseMoney(typed)).toBe(read)
    // What is finer than the currency is told all the same.
    expect(formatMoney(5)).toContain('0.05')
    setCurrency({ code: 'USD', exponent: 2 })
    expect(formatMoney(129_000)).toBe('$1,290.00')
  })
  it('refuses what is no amount', () => {
    expect(() => formatMoney(1.5)).toThrow(RangeError)
    expect(() => formatMoney(Number.NaN)).toThrow(RangeError)
  })
  it.each([
    ['$1,290.5', 129_050],
    ['12', 1_200],
    ['0.07', 7],
    ['1.234', undefined],
    ['-1', undefined],
    ['', undefined],
  ])('reads %j as %s', (text, amount) => {
    expect(parseMoney(text)).toBe(amount)
  })
})

describe('scrolling by a script', () => {
  it.each([
    [true, 'auto'],
    [false, 'smooth'],
  ])('where no motion is wanted: %s, it is %s', (matches, manner) => {
    vi.stubGlobal('window', { matchMedia: () => ({ matches }) })
    expect(scrollManner()).toBe(manner)
    vi.unstubAllGlobals()
  })
})

describe('time (V037, V294-V300)', () => {
  const NOW = Date.UTC(2026, 2, 2, 12)
  const MINUTE = 60_000
  const DAY = 86_400_000
  it.each([
    [0, 'just now'],
    [MINUTE - 1, 'just now'],
    [MINUTE, '1분 전'],
    [60 * MINUTE - 1, '59분 전'],
    [60 * MINUTE, '1시간 전'],
    [DAY - 1, '23시간 전'],
    [DAY, '1일 전'],
    [7 * DAY, '7일 전'],
    [8 * DAY, '1주 전'],
    [366 * DAY, '52주 전'],
    [367 * DAY, '1년 전'],
    [800 * DAY, '2년 전'],
  ])('%i ms ago is %s', (gone, text) => {
    expect(relativeTime(NOW - gone, NOW)).toBe(text)
  })
  it.each([
    [999, '종료'],
    [1000, '1초 남음'],
    [-5, '종료'],
    [3 * DAY, '3일 남음'],
  ])('%i ms to go is %s', (left, text) => {
    expect(timeLeft(NOW + left, NOW)).toBe(text)
  })
  it.each(ago.map(({ seconds, ago: { unit, count } }) => [seconds, unit, count] as const))(
    '%i seconds ago is told as the server tells it: %s %i (V294-V299)',
    (seconds, unit, count) => {
      const { justNow, minutes, hours, days, weeks, years } = timeWords
      const words = new Map([
        ['now', () => justNow],
        ['minute', minutes],
        ['hour', hours],
        ['day', days],
        ['week', weeks],
        ['year', years],
      ])
      expect(relativeTime(NOW - seconds * 1000, NOW)).toBe(words.get(unit)?.(count))
    },
  )
  it('tells days in Seoul wherever one is', () => {
    expect(formatDate('2026-03-01T15:30:00Z')).toBe('2026. 03. 02.')
    expect(formatDate('2026-03-01T15:30:00Z', 'datetime')).toContain('00:30')
    expect(formatDate('nonsense')).toBe('-')
  })
})

describe('phone (V138)', () => {
  it.each([
    ['01012345678', '010-1234-5678'],
    ['0101234', '010-1234'],
    ['02', '02'],
    ['0212', '02-12'],
    ['02123456', '02-1234-56'],
    ['021234567', '02-1234-567'],
    ['0212345678', '02-1234-5678'],
    ['0111234567', '011-123-4567'],
    ['010-1234-5678', '010-1234-5678'],
  ])('%s is shown %s', (typed, shown) => {
    expect(formatPhone(typed)).toBe(shown)
  })
})

it.each([...passwordSpecials])('%s makes a password special, as the server has it (V130)', (letter) => {
  expect(rules.password(`abcd123${letter}`)).toBeUndefined()
})

describe('page buttons (V241)', () => {
  it('are never more than eleven, and keep the current one in the middle', () => {
    expect(pageButtons(50, 100)).toEqual([45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55])
    expect(pageButtons(1, 100)).toHaveLength(11)
    expect(pageButtons(100, 100)).toEqual([90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100])
    expect(pageButtons(2, 3)).toEqual([1, 2, 3])
  })
  it('count at least one page', () => {
    expect([pageCount(0, 12), pageCount(12, 12), pageCount(13, 12)]).toEqual([1, 1, 2])
  })
})

describe('the tone of a status (V106-V109)', () => {
  it.each([
    [{ orderStatus: 'ORDER_NONPAYMENT' }, 'warning'],
    [{ orderStatus: 'DELIVERY_COMPLETE', claimStatus: 'RETURN_REJECTED' }, 'bad'],
    [{ orderStatus: 'DELIVERY_COMPLETE', claimStatus: 'RETURN_REJECTED', purchaseStatus: 'PURCHASE_COMPLETE' }, 'good'],
    [{ orderStatus: 'ORDER_PAYMENT', claimStatus: 'CANCEL_COMPLETED' }, 'quiet'],
    [{ orderStatus: 'SHIPPING_DELAYED', claimStatus: 'NONE', purchaseStatus: 'PURCHASE_AWAITING' }, 'warning'],
    [{ orderStatus: 'NEW_CODE' }, 'quiet'],
  ])('%j is %s', (statuses, tone) => {
    expect(statusTone(statuses)).toBe(tone)
  })
})

describe('recent searches (V163, V242, V243)', () => {
  beforeEach(forgetSearches)
  it('are five at most, newest first, each once', () => {
    for (const term of ['a', 'b', 'c', 'd', 'e', 'f', 'd']) rememberSearch(term)
    expect(recentSearches()).toEqual(['d', 'f', 'e', 'c', 'b'])
    forgetSearch('f')
    expect(recentSearches()).toEqual(['d', 'e', 'c', 'b'])
  })
  it('are kept for a day', () => {
    const written = vi.spyOn(Document.prototype, 'cookie', 'set')
    rememberSearch('a')
    expect(written.mock.calls).toEqual([[expect.stringMatching(/^searches=.*; max-age=86400;/)]])
    written.mockRestore()
  })
})

describe('what may be typed', () => {
  it.each([
    ['username', 'abc123', true],
    ['username', 'abc12', false],
    ['username', 'Abc123', false],
    ['username', 'a'.repeat(20), true],
    ['username', 'a'.repeat(21), false],
    ['username', 'abc 123', false],
    ['password', 'abcd123!', true],
    ['password', 'abcd1234', false],
    ['password', 'abcdefg!', false],
    ['password', '1234567!', false],
    ['password', 'abc123!', false],
    ['password', `${'a'.repeat(14)}1!`, true],
    ['password', `${'a'.repeat(15)}1!`, false],
    ['passwordChange', '', true],
    ['passwordChange', 'short', false],
    ['name', '홍', false],
    ['name', '홍길동', true],
    ['email', 'a@b.c', true],
    ['email', 'a@b', false],
    ['email', 'a b@c.d', false],
    ['phone', '02-123-4567', false],
    ['phone', '02-1234-5678', true],
    ['phone', '010-1234-5678', true],
    ['phone', '010123456789', false],
    ['subject', 'x', false],
    ['content', '내용', true],
    ['promoterCode', ' ', false],
    ['nickname', '가', false],
    ['nickname', '장부이', true],
    ['nickname', '장 부', false],
    ['nickname', '장부!', false],
    ['nickname', '가'.repeat(16), false],
    ['companyName', 'A', false],
    ['ceoName', 'AB', true],
    ['businessNumber', '1', false],
    ['licenseCode', '12', true],
    ['percent', '0', true],
    ['percent', '100', true],
    ['percent', '101', false],
    ['percent', '-1', false],
    ['percent', '1.5', false],
    ['date', '2999-12-31', true],
    ['date', '3000-01-01', false],
    ['date', '2026-02-30', false],
  ] as const)('%s %j is fine: %s', (rule, value, fine) => {
    // biome-ignore lint/performance/noDynamicNamespaceImportAccess: a table of all rules, in a test
    expect(rules[rule](value) === undefined).toBe(fine)
  })
  it('wants the copy of the registration (V148)', () => {
    expect(rules.businessRegistration(undefined)).toContain('첨부')
    expect(rules.businessRegistration({ type: '', size: 5 * 1024 * 1024 })).toBeUndefined()
    expect(rules.businessRegistration({ type: 'application/pdf', size: 5 * 1024 * 1024 + 1 })).toContain('5MB')
    expect(rules.businessRegistration({ type: 'image/heic', size: 1 })).toContain('PDF만')
  })
  it('lists only the fields that fail', () => {
    expect(rules.failures({ name: '홍', email: 'a@b.c' }, { name: rules.name, email: rules.email })).toEqual({
      name: expect.stringContaining('이름'),
    })
  })
})

describe('the way after the login', () => {
  it('stays in the shop', () => {
    expect(safeRedirect('/cart?x=1')).toBe('/cart?x=1')
    for (const bad of [null, '', 'https://evil.example', '//evil.example', '/\\evil.example', 'cart'])
      expect(safeRedirect(bad)).toBe('/')
  })
  it('remembers where one wanted to go', () => {
    expect(loginPath('/cart')).toBe('/login?next=%2Fcart')
    expect(loginPath('/')).toBe('/login')
  })
})

describe('a token', () => {
  it('tells when it ends, or does not', () => {
    expect(expiresAt(`h.${btoa('{"exp":5}')}.s`)).toBe(5000)
    expect(expiresAt('opaque')).toBeUndefined()
    expect(expiresAt('a.!!!.c')).toBeUndefined()
  })
})
