// Keyboard navigation in the console.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useRef, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useSession } from '../../api/session'
import { createPage, type ResourceDef } from '../../console/crud/resourceDefinition'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { DataTable } from '../../ui/DataTable'
import { usePageKeys } from '../../ui/keys'
import { CommandPalette } from './CommandPalette'
import { consolePages } from './menu'
import { goalsFor } from './Palette'

withServer()
beforeEach(() => {
  server.use(http.get('*/api/console/*', () => HttpResponse.json({ summary: { totalCount: 0 } })))
  useSession.setState({ payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] } })
})
afterEach(() => useSession.setState({ payload: undefined }))

describe('the palette', () => {
  it('opens a page by its name', async () => {
    const { router } = renderPage(<CommandPalette scopes={['console']} />, '/console')
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.type(await screen.findByRole('combobox'), '쿠폰')
    expect(await a11yViolations()).toEqual([])
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/console/shop/coupons'))
  })
  it('finds orders, products, members and coupons by what is typed', async () => {
    const asked: string[] = []
    const rows: Record<string, unknown> = {
      purchases: [
        { _order: 'o1', orderNo: '20261121-7KD2M9QX', name: '바람 로드', buyerName: '신유나' },
        { _order: 'o1', orderNo: '20261121-7KD2M9QX', name: '바람 로드 끈', buyerName: '신유나' },
      ],
      products: [{ _id: 'p1', name: '바람 로드', code: 'BK-1' }],
      coupons: [{ _id: 'c1', name: '바람 쿠폰' }],
      users: [{ _id: 'm1', name: '바람아이' }],
    }
    server.use(
      http.get('*/api/console/*', ({ request }) => {
        const url = new URL(request.url)
        const list = url.pathname.split('/').at(-1) ?? ''
        asked.push(`${list} ${url.searchParams.get('searchValue')}`)
        return HttpResponse.json({ summary: { totalCount: 1 }, [list]: rows[list] })
      }),
    )
    const { router } = renderPage(<CommandPalette scopes={['console']} />, '/console')
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.type(await screen.findByRole('combobox'), '바람')
    const found = await screen.findAllByRole('option')
    expect(found.map((option) => option.textContent)).toEqual([
      '20261121-7KD2M9QX · 신유나 · 바람 로드주문',
      '바람 로드 · BK-1상품',
      '바람아이회원',
      '바람 쿠폰쿠폰',
    ])
    expect(asked.sort()).toEqual(['coupons 바람', 'products 바람', 'purchases 바람', 'users 바람'])
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/console/shop/products/p1'))
  })
  it('finds no members for a seller', async () => {
    const asked: string[] = []
    server.use(
      http.get('*/api/console/*', ({ request }) => {
        asked.push(new URL(request.url).pathname)
        return HttpResponse.json({ summary: { totalCount: 0 } })
      }),
    )
    renderPage(<CommandPalette scopes={['company']} />, '/console')
    await userEvent.keyboard('{Control>}k{/Control}')
    await userEvent.type(await screen.findByRole('combobox'), '없는말')
    expect(await screen.findByText('검색 결과가 없습니다.')).toBeTruthy()
    expect(asked).toHaveLength(3)
    expect(asked).not.toContain('/api/console/users')
  })
  it('opens an order by its number, also by the number of a purchase', () => {
    expect(goalsFor('20261121-7kd2m9qx-1', [])[0]?.to).toBe('/console/shop/orders/20261121-7KD2M9QX')
  })
  it('offers a seller only the pages a seller may see', () => {
    const pages = consolePages(['company']).map(({ to }) => to)
    expect(pages).toContain('/console/shop/products/create')
    expect(pages).not.toContain('/console/site/setting')
  })
  it('offers a new record of every kind the user may create', async () => {
    const modules = import.meta.glob<Record<string, unknown>>('../../console/*/resource.ts', {
      eager: true,
    })
    const isDef = (value: unknown): value is ResourceDef =>
      typeof value === 'object' && value !== null && 'schema' in value && 'sections' in value
    const defs = Object.values(modules).flatMap((module) => Object.values(module).filter(isDef))
    for (const scope of ['console', 'company'] as const) {
      const addresses = consolePages([scope]).map(({ to }) => to)
      const missing = defs
        .filter(({ schema }) => schema.actions.includes('create') && schema.scopes.includes(scope))
        // Displays are created for a position.
        .map((def) => createPage(def).replace('/main/display', '/main/display/MAIN_FEATURED'))
        .filter((to) => !addresses.includes(to))
      expect(missing, scope).toEqual([])
    }
    expect(goalsFor('브랜드 등록', consolePages(['console']))[0]?.to).toBe('/console/shop/brands?id=new')
  })
  it('opens with a Hangul keyboard layout, too', async () => {
    renderPage(<CommandPalette scopes={['console']} />, '/console')
    await userEvent.keyboard('{Control>}ㅏ{/Control}')
    expect(await screen.findByRole('combobox')).toBeTruthy()
  })
  it('stays closed while a dialog is open', async () => {
    renderPage(
      <>
        <div role="alertdialog" aria-label="지울까요?">
          <button type="button">네</button>
        </div>
        <CommandPalette scopes={['console']} />
      </>,
      '/console',
    )
    screen.getByRole('button', { name: '네' }).focus()
    await userEvent.keyboard('?')
    await userEvent.keyboard('{Control>}k{/Control}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('the shortcuts', () => {
  const opened = vi.fn()
  /** A page with a list of two rows, of which one can be selected. */
  function List() {
    const [selected, setSelected] = useState<string[]>([])
    const box = useRef<HTMLInputElement>(null)
    usePageKeys({ search: () => box.current?.focus() })
    return (
      <main>
        <input ref={box} type="search" aria-label="검색" />
        <DataTable
          caption="상품"
          columns={[{ id: 'name', header: '이름', cell: (row: string) => row }]}
          rows={['바람', '모아']}
          rowId={(row) => row}
          total={2}
          page={1}
          size={20}
          onPage={() => undefined}
          onRowClick={opened}
          selected={selected}
          onSelected={setSelected}
        />
      </main>
    )
  }
  const told = async () => {
    await userEvent.keyboard('?')
    const keys = within(await screen.findByRole('dialog')).getAllByRole('term')
    return keys.map((key) => key.textContent)
  }
  const here = () => document.activeElement?.querySelector('td:last-child')?.textContent

  it('are listed only on pages where they work', async () => {
    const { unmount } = renderPage(<CommandPalette scopes={['console']} />, '/console')
    expect(await told()).toEqual(['Ctrl+K', '?', 'Esc'])
    unmount()
    renderPage(
      <>
        <List />
        <CommandPalette scopes={['console']} />
      </>,
      '/console',
    )
    expect(await told()).toEqual(['Ctrl+K', '/', 'J / K', 'Enter', 'X 또는 Space', '?', 'Esc'])
  })

  it.each([
    ['j', 'k', 'x'],
    ['ㅓ', 'ㅏ', 'ㅌ'],
  ])('work from the page: %s, %s, %s', async (down, up, pick) => {
    opened.mockClear()
    renderPage(
      <>
        <List />
        <CommandPalette scopes={['console']} />
      </>,
      '/console',
    )
    await userEvent.keyboard(down)
    expect(here()).toBe('바람')
    await userEvent.keyboard(down)
    expect(here()).toBe('모아')
    await userEvent.keyboard(up)
    expect(here()).toBe('바람')
    await userEvent.keyboard('{Enter}')
    expect(opened).toHaveBeenCalledWith('바람')
    const picked = () => within(screen.getByRole('table')).getByRole<HTMLInputElement>('checkbox', { name: /^1번째/ })
    await userEvent.keyboard(pick)
    expect(picked().checked).toBe(true)
    // Also with the focus on a checkbox; not in a text field.
    await userEvent.click(picked())
    await userEvent.keyboard(down)
    expect(here()).toBe('바람')
    await userEvent.keyboard('/')
    await userEvent.keyboard(down)
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe(down)
  })
})
