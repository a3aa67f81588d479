// Users are offered only actions that the server allows them: the schema decides, not a page.
import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, describe, expect, it } from 'vitest'
import { type Scope, useSession } from '../../api/session'
import { renderPage } from '../../testing/render'
import { schemaOf, schemas } from '../../testing/schemas'
import { server, withServer } from '../../testing/server'
import { inquire } from '../inquires/resource'
import { review } from '../reviews/resource'
import { store } from '../stores/resource'
import { ResourceList } from './ResourceList'
import { ResourcePage } from './ResourcePage'
import { schemaForScopes, supportsRestore } from './schema'

withServer()
afterEach(() => useSession.setState({ payload: undefined }))

const as = (scope: Scope) =>
  useSession.setState({
    payload: { _user: 'u1', userType: scope === 'console' ? 'OPERATOR' : 'COMPANY', scope: [scope] },
  })
const record = { _id: 'r1', version: 1, removed: false, _seller: 'u1', name: '여의도점', subject: '좋아요', star: 500 }

it('sellers are offered no staff-only action, of any kind', () => {
  for (const kind of schemas) {
    const offered = schemaForScopes(kind, ['company']).actions
    expect(offered.filter((action) => kind.staffOnly?.includes(action))).toEqual([])
    expect(schemaForScopes(kind, ['console']).actions).toEqual(kind.actions)
  }
  // Content written by buyers is deleted and restored by staff.
  for (const kind of ['review', 'inquire']) {
    expect(schemaOf(kind).staffOnly).toContain('delete')
    expect(supportsRestore(schemaForScopes(schemaOf(kind), ['company']))).toBe(false)
  }
})

describe.each([
  ['a review', review, 'reviews', false],
  ['an inquiry', inquire, 'inquires', false],
  ['a store', store, 'stores', true],
] as const)('%s', (_, def, many, sellersToo) => {
  const kind = def.schema
  it.each([
    ['console', true],
    ['company', sellersToo],
  ] as const)('offers %s their allowed actions: deletion %s', async (scope, may) => {
    as(scope)
    server.use(
      http.get(`*${kind.path}/r1/history`, () => HttpResponse.json({ events: [] })),
      http.get(`*${kind.path}/r1`, () => HttpResponse.json({ [kind.one]: record })),
      http.get('*/api/*', () => HttpResponse.json({ summary: { totalCount: 0 } })),
    )
    renderPage(<ResourcePage def={def} id="r1" />, def.page)
    await screen.findByRole('button', { name: '저장' })
    expect(screen.queryByRole('button', { name: '삭제' }) !== null).toBe(may)
  })

  it.each([
    ['console', true],
    ['company', sellersToo],
  ] as const)('in its list, too, for %s: %s', async (scope, may) => {
    as(scope)
    server.use(
      http.get(`*${kind.path}`, () => HttpResponse.json({ summary: { totalCount: 1 }, [many]: [record] })),
      http.get('*/api/*', () => HttpResponse.json({ summary: { totalCount: 0 }, views: [] })),
    )
    renderPage(<ResourceList def={def} />, def.page)
    expect((await screen.findAllByRole('checkbox', { name: '1번째 행 선택' })).length).toBeGreaterThan(0)
    screen.getAllByRole('checkbox', { name: '1번째 행 선택' })[0]?.click()
    await screen.findByText(/1개 선택/)
    expect(screen.queryByRole('button', { name: '선택 삭제' }) !== null).toBe(may)
    expect(screen.queryByRole('button', { name: '삭제된 항목' }) !== null).toBe(may)
  })
})
