// Stored values are read back unchanged, or not at all.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { clearSessionItems, hasShape, isNumber, isText, isTexts, localItem, sessionItem } from './storage'

const names = localItem('names', isTexts)

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})

describe('a stored value', () => {
  it('can be absent, stored, replaced and removed', () => {
    expect(names.read()).toBeUndefined()
    names.keep(['가'])
    names.keep(['가', '나'])
    expect(names.read()).toEqual(['가', '나'])
    names.forget()
    expect(names.read()).toBeUndefined()
  })
  it.each(['{', '', 'null', '"가"', '{"0":"가"}', '[1]'])('counts as absent where the text is %j', (text) => {
    localStorage.setItem('names', text)
    expect(names.read()).toBeUndefined()
  })
  it('of sessionStorage is separate, and cleared with it', () => {
    const name = sessionItem('name', isText)
    name.keep('가')
    expect(localStorage.getItem('name')).toBeNull()
    expect(name.read()).toBe('가')
    clearSessionItems()
    expect(name.read()).toBeUndefined()
  })
  it('has the required fields', () => {
    const mark = localItem('mark', hasShape({ at: isNumber, by: isText }))
    for (const other of ['1', 'null', '[]', '{"at":1}', '{"at":"1","by":"가"}']) {
      localStorage.setItem('mark', other)
      expect(mark.read(), other).toBeUndefined()
    }
    mark.keep({ at: 1, by: '가' })
    expect(mark.read()).toEqual({ at: 1, by: '가' })
  })
})

describe('a browser without storage breaks no page', () => {
  const silent = () => {
    names.keep(['가'])
    expect(names.read()).toBeUndefined()
    names.forget()
    clearSessionItems()
  }
  it('when it is full', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    silent()
  })
  it('when it is denied', () => {
    for (const storage of ['localStorage', 'sessionStorage'] as const)
      vi.spyOn(window, storage, 'get').mockImplementation(() => {
        throw new DOMException('refused', 'SecurityError')
      })
    silent()
  })
})
