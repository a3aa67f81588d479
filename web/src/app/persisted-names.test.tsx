// Names that outlive a release: keys and stored JSON of the browser's storage, cookies, channels and locks, names that saved views and
// columns are stored under, and query parameters in bookmarks and saved views. All are literals here, so that renaming code cannot
// change them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, renderHook } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import ts from 'typescript'
import { afterEach, describe, expect, it } from 'vitest'
import { positionToWaitFor, rememberPosition } from '../api/consistencyToken'
import { guestOrderHeaders, isGuestOrder, storeGuestOrder } from '../api/guestOrders'
import { beginSession, endSession, rememberWatch, setAgreements, setPickup } from '../api/session'
import { useColumns } from '../console/crud/columns'
import { listOf, type ResourceDef } from '../console/crud/resourceDefinition'
import { partsOf, useResourceListState } from '../console/crud/useResourceListState'
import { listAt } from '../console/purchases/list'
import { TABS } from '../console/purchases/tabs'
import { addToGuestCart } from '../features/cart/guestCart'
import {
  checkoutLines,
  completeCheckout,
  placedOrder,
  readCheckout,
  startCheckout,
} from '../features/orders/checkoutSession'
import { lastOpenedPayment } from '../features/payment/api'
import { rememberSearch } from '../lib/recentSearches'
import { EMPTY_FORM } from '../shop/order/checkoutForm'
import { useCheckoutDraft } from '../shop/order/useCheckoutDraft'
import { listingHref, readListing } from '../shop/products/listing'
import { searchHref } from '../shop/search/modes'
import { schemaOf, schemas } from '../testing/schemas'
import { setTheme } from './theme'

const SRC = join(import.meta.dirname, '..')
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !/^testing|\.gen\.ts$/.test(file),
)

/** Every node of every source file. */
function nodes(): ts.Node[] {
  const found: ts.Node[] = []
  for (const file of sources) {
    const text = readFileSync(join(SRC, file), 'utf8')
    const walk = (node: ts.Node): void => {
      found.push(node)
      ts.forEachChild(node, walk)
    }
    walk(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX))
  }
  return found
}

/** Texts of string literals, and of templates up to their first expression. */
const texts = nodes().flatMap((node) => (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) ? [node.text] : []))
const distinct = (all: readonly string[]): string[] => [...new Set(all)].sort()

const inSession = (name: string): unknown => JSON.parse(sessionStorage.getItem(name) ?? 'null')
const inLocal = (name: string): unknown => JSON.parse(localStorage.getItem(name) ?? 'null')

const logInAs = (_user: string) =>
  beginSession({ refreshToken: 'r', accessToken: 'a', payload: { _user, userType: 'PERSON', scope: [] } })

afterEach(() => {
  endSession()
  setTheme('system')
})

describe('keys of storage, channels, locks and cookies', () => {
  it('are unchanged', () => {
    expect(distinct(texts.filter((text) => text.startsWith('jangbu.')))).toEqual([
      'jangbu.alarms',
      'jangbu.basket',
      'jangbu.cart.left',
      'jangbu.columns.',
      'jangbu.guestOrders',
      'jangbu.letters',
      'jangbu.paying',
      'jangbu.position',
      'jangbu.refresh',
      'jangbu.reloadedAt',
      'jangbu.session',
      'jangbu.sheet',
      'jangbu.theme',
    ])
    for (const cookie of ['bands-hidden', 'popup-', 'searches'])
      expect(texts.filter((text) => text === cookie)).toEqual([cookie])
  })

  it('of recent searches hold JSON', () => {
    rememberSearch('road')
    expect(document.cookie).toContain('searches=%5B%22road%22%5D')
  })
})

describe('stored JSON', () => {
  it('of the theme', () => {
    setTheme('dark')
    expect(localStorage.getItem('jangbu.theme')).toBe('"dark"')
  })

  it('of the session', () => {
    beginSession({
      refreshToken: 'r',
      accessToken: 'a',
      payload: { _user: 'u', userType: 'COMPANY', scope: ['company'] },
    })
    addToGuestCart({
      _product: 'p',
      _option: 'o',
      quantity: 2,
      note: { name: 'n', optionName: 'on', thumb: 't', unitPrice: 5 },
    })
    rememberWatch({ _product: 'p', name: 'n', thumb: 't' })
    setAgreements(['ads'])
    setPickup('here')
    expect(inLocal('jangbu.session')).toEqual(
      JSON.parse(
        `{"state":{"refreshToken":"r","accessToken":"a","payload":{"_user":"u","userType":"COMPANY","scope":["company"]},
        "carts":[{"_product":"p","_option":"o","quantity":2,"note":{"name":"n","optionName":"on","thumb":"t","unitPrice":5}}],
        "watches":[{"_product":"p","name":"n","thumb":"t"}],"pickup":"here","agreements":["ads"]},"version":0}`,
      ),
    )
  })

  it('of orders of guests', () => {
    storeGuestOrder('o1', 't', 0)
    expect(localStorage.getItem('jangbu.guestOrders')).toBe('{"o1":{"token":"t","until":604800000}}')
    localStorage.setItem('jangbu.guestOrders', `{"o2":{"token":"t2","until":${Date.now() + 1000}}}`)
    expect(isGuestOrder('o2')).toBe(true)
    expect(guestOrderHeaders('o2')['Authorization']).toBe('Bearer t2')
  })

  it('of the newest position, here and on the channel', async () => {
    const channel = new BroadcastChannel('jangbu.position')
    const heard = new Promise((resolve) => channel.addEventListener('message', ({ data }) => resolve(data)))
    rememberPosition('7', 5)
    expect(sessionStorage.getItem('jangbu.position')).toBe('{"position":"7","at":5}')
    expect(JSON.stringify(await heard)).toBe('{"position":"7","at":5}')
    channel.close()
    sessionStorage.setItem('jangbu.position', `{"position":"9","at":${Date.now()}}`)
    expect(positionToWaitFor()).toBe('9')
  })

  it('of the order in payment', () => {
    sessionStorage.setItem('jangbu.paying', '"o1"')
    expect(lastOpenedPayment()).toBe('o1')
  })

  it("of the checkout's items", () => {
    sessionStorage.setItem('jangbu.basket', '{"carts":["c1"]}')
    expect(checkoutLines(readCheckout() ?? { carts: [] })).toEqual({ _carts: ['c1'] })
    const lines =
      '{"lines":[{"_product":"p","quantity":1}],"guestCart":"g","people":{"sender":{"name":"n","phone":"1"}}}'
    sessionStorage.setItem('jangbu.basket', lines)
    const read = readCheckout()
    expect(JSON.stringify(read && checkoutLines(read))).toBe('{"carts":[{"_product":"p","quantity":1}],"_cart":"g"}')
    expect(read?.people?.sender?.name).toBe('n')
    if (read) startCheckout(read)
    expect(sessionStorage.getItem('jangbu.basket')).toBe(lines)
    completeCheckout('o1')
    expect(sessionStorage.getItem('jangbu.basket')).toBe('{"placed":"o1"}')
    expect(placedOrder()).toBe('o1')
  })

  it('of the checkout form', () => {
    expect(Object.keys(EMPTY_FORM).sort()).toEqual(
      [
        'sender receiver same message ownMessage productCoupons fareCoupons totalCoupon point method depositor account',
        'cashReceipt cashReceiptPhone terms saveDestination',
      ]
        .flatMap((line) => line.split(' '))
        .sort(),
    )
    expect(JSON.stringify([EMPTY_FORM.sender, EMPTY_FORM.receiver])).toBe(
      '[{"name":"","phone":"","email":""},{"name":"","phone":"","postcode":"","address1":"","address2":""}]',
    )
    const { result, unmount } = renderHook(() => useCheckoutDraft({ carts: ['c1'] }))
    act(() => result.current[1](JSON.parse('{"same":true,"account":{},"terms":[]}')))
    expect(inSession('jangbu.sheet')).toEqual(JSON.parse('{"about":"{\\"carts\\":[\\"c1\\"]}","typed":{"same":true}}'))
    unmount()
    logInAs('u')
    sessionStorage.setItem('jangbu.sheet', '{"who":"u","about":"{\\"carts\\":[]}","typed":{"message":"hello"}}')
    expect(JSON.stringify(renderHook(() => useCheckoutDraft({ carts: [] })).result.current[0])).toBe(
      '{"message":"hello"}',
    )
  })

  it('of chosen columns', () => {
    const { result } = renderHook(() => useColumns({ name: 'product', columns: ['name'] }))
    act(() => result.current.choose(['name', 'code']))
    expect(inLocal('jangbu.columns.product')).toEqual(['name', 'code'])
  })
})

const definitions = import.meta.glob<Record<string, ResourceDef>>('../console/*/resource.ts', { eager: true })

describe('names that columns and saved views are stored under', () => {
  it('are those of the resources', () => {
    const found = Object.values(definitions)
      .flatMap((module) => Object.values(module))
      .filter((one) => typeof one === 'object' && 'schema' in one)
      .map((def) => listOf(def).name)
    // The names of the server's kinds are checked there (domain/tests/stored_names.rs).
    expect(found.length).toBeGreaterThan(20)
    expect(found.filter((name) => !schemas.some((schema) => schema.name === name))).toEqual([])
    expect(found.length).toBe(distinct(found).length)
  })

  it('are those of the purchase lists', () => {
    expect(TABS.map((tab) => listAt(tab).name)).toEqual([
      'purchase/all',
      'purchase/nonpayment',
      'purchase/payment',
      'purchase/delivery',
      'purchase/cancel',
      'purchase/exchange',
      'purchase/return',
      'purchase/complete',
    ])
  })
})

/** What a hook returns at an address. */
function at<T>(address: string, hook: () => T): T {
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(MemoryRouter, { initialEntries: [address] }, children)
  return renderHook(hook, { wrapper }).result.current
}

describe('query parameters', () => {
  it('of product lists', () => {
    const address =
      '/shop/products?category=c&_seller=s&searchValue=w&groups=g%2Ch&brand=b&priceMin=1&priceMax=2&inStock=true&freeShipping=true&sort=NAME&page=3'
    expect(listingHref(readListing(new URL(address, 'http://shop.test').searchParams))).toBe(address)
  })

  it('of the search', () => {
    expect(searchHref('w', 'STORY', 2)).toBe('/search?searchValue=w&mode=STORY&page=2')
  })

  it('of filters of record lists', () => {
    expect(partsOf({ name: 'day', type: 'period' })).toEqual(['dayFrom', 'dayTo'])
    expect(partsOf({ name: 'price', type: 'range' })).toEqual(['priceMin', 'priceMax'])
    expect(partsOf({ name: 'shows', type: 'boolean' })).toEqual(['shows'])
  })

  it('of record lists, and what a saved view stores of them', () => {
    const listing = at('/?page=2&size=50&sort=-name&q=w&id=1&removed=true&shows=true&other=x', () =>
      useResourceListState(schemaOf('brand')),
    )
    expect(listing.remembered).toBe('size=50&sort=-name&q=w&removed=true&shows=true')
    expect([listing.page, listing.size, listing.search, listing.sortText]).toEqual([2, 50, 'w', '-name'])
    expect(JSON.stringify(listing.query)).toBe('{"searchValue":"w","sort":"-name","shows":"true","removed":"true"}')
  })

  it('read by name anywhere are listed here', () => {
    const read = nodes().flatMap((node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
      const [name] = node.arguments
      const isRead = node.expression.name.text === 'get' && /[pP]arams$/.test(node.expression.expression.getText())
      return isRead && name && ts.isStringLiteralLike(name) ? [name.text] : []
    })
    expect(distinct(read)).toEqual([
      '_coupon',
      '_seller',
      'about',
      'category',
      'channel',
      'chars',
      'claim',
      'error',
      'filter',
      'freeShipping',
      'from',
      'id',
      'inStock',
      'mode',
      'months',
      'next',
      'order',
      'page',
      'position',
      'print',
      'purchase',
      'q',
      'redeemed',
      'removed',
      'searchValue',
      'size',
      'sort',
      'state',
      'step',
      'tab',
      'to',
      'type',
      'username',
    ])
  })
})
