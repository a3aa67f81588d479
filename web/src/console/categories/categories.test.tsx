// The category page: input is not lost by accident, and a deletion can be undone.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { toast as sonner } from 'sonner'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import { Toasts } from '../../ui/toast'
import { recordWords } from '../crud/words'
import { Component as Categories } from './index'

withServer()

const bikes = { _id: 'c1', code: 'bikes', name: '자전거', shows: true, visual: {}, index: 0, depth: 1, children: [] }
let removed: unknown[] = []

beforeEach(() => {
  removed = []
  server.use(
    http.get('*/api/console/shop/categories', () => HttpResponse.json({ version: 1, categories: [bikes] })),
    http.get('*/api/console/shop/categories/:id/history', () => HttpResponse.json({ history: [] })),
    http.delete('*/api/console/shop/categories/:id', ({ params }) => {
      removed.push(params.id)
      return HttpResponse.json({ category: null, version: 5 })
    }),
  )
})

afterEach(() => {
  sonner.dismiss()
})

const open = () =>
  renderPage(
    <>
      <Categories />
      <ConfirmHost />
      <Toasts />
    </>,
    '/console/shop/categories',
  )

it('asks before closing a dialog with input', async () => {
  open()
  await userEvent.click(await screen.findByRole('button', { name: '자전거 수정' }))
  await userEvent.type(within(await screen.findByRole('dialog')).getByLabelText(/이름/), '들')
  await userEvent.keyboard('{Escape}')
  await screen.findByRole('alertdialog', { name: recordWords.leave })
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(within(screen.getByRole('dialog')).getByLabelText(/이름/)).toHaveProperty('value', '자전거들')
})

it('closes an untouched dialog without asking', async () => {
  open()
  await userEvent.click(await screen.findByRole('button', { name: '자전거 수정' }))
  await screen.findByRole('dialog')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('shows why a category cannot be deleted', async () => {
  const road = { ...bikes, _id: 'c2', code: 'road', name: '로드', depth: 2 }
  server.use(
    http.get('*/api/console/shop/categories', () =>
      HttpResponse.json({ version: 1, categories: [{ ...bikes, children: [road] }] }),
    ),
  )
  open()
  const bin = await screen.findByRole('button', { name: '자전거 삭제: 하위 카테고리가 있어 삭제할 수 없습니다' })
  expect(bin).toHaveProperty('ariaDisabled', 'true')
  expect(screen.getByRole('button', { name: '로드 삭제' })).toHaveProperty('ariaDisabled', null)
})

it('deletes a category at once, and restores it to its former place', async () => {
  const restored: unknown[] = []
  server.use(
    http.post('*/api/console/shop/categories/:id/restore', async ({ request, params }) => {
      restored.push([params.id, await request.json()])
      return HttpResponse.json({ version: 6 })
    }),
  )
  open()
  await userEvent.click(await screen.findByRole('button', { name: '자전거 삭제' }))
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '삭제' }))
  await waitFor(() => expect(removed).toEqual(['c1']))
  fireEvent.click(await screen.findByRole('button', { name: '되돌리기' }))
  await waitFor(() => expect(restored).toEqual([['c1', { version: 4 }]]))
})

describe('moving a category', () => {
  const named = (id: string, name: string, depth: number, children: unknown[] = []) => ({
    ...{ ...bikes, _id: id, code: id, name, depth, children },
  })
  const road = named('c2', '로드', 2)
  const juice = named('c3', '주스', 1)
  let moved: [string, Record<string, unknown>][] = []
  beforeEach(() => {
    moved = []
    server.use(
      http.get('*/api/console/shop/categories', () =>
        HttpResponse.json({ version: 7, categories: [{ ...bikes, children: [road] }, juice] }),
      ),
      http.put('*/api/console/shop/categories/:id', async ({ request, params }) => {
        moved.push([String(params.id), (await request.json()) as Record<string, unknown>])
        return HttpResponse.json({ category: null, version: 8 })
      }),
    )
  })
  /** Rows of 100 px, one below the other. */
  const laidOut = () => {
    const rows = () => screen.getAllByRole('button', { name: / 수정$/ }).map((button) => button.closest('div'))
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      return new DOMRect(0, 100 * Math.max(0, rows().indexOf(this as HTMLDivElement)), 400, 100)
    })
  }
  const handle = (name: string) => screen.findByRole('button', { name: `${name} 끌어서 옮기기` })
  const announcement = () => document.querySelector('[aria-live="assertive"].sr-only')?.textContent
  /** Drops `name` onto the middle of another row, by touch. */
  const drop = async (name: string, onto: string, fits = true) => {
    const from = await handle(name)
    laidOut()
    const target = (await handle(onto)).closest('div')?.getBoundingClientRect() ?? new DOMRect()
    const start = from.closest('div')?.getBoundingClientRect() ?? new DOMRect()
    const at = (y: number) => ({ isPrimary: true, button: 0, pointerType: 'touch', clientX: 10, clientY: y })
    fireEvent.pointerDown(from, at(start.top + 50))
    fireEvent.pointerMove(document, at(start.top + 40))
    await act(() => new Promise((resolve) => setTimeout(resolve)))
    fireEvent.pointerMove(document, at(target.top + 50))
    if (fits) await waitFor(() => expect(announcement()).toContain(name))
    else await act(() => new Promise((resolve) => setTimeout(resolve)))
    fireEvent.pointerUp(document, at(target.top + 50))
  }
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('by keyboard lifts it, announces the target place, and drops it or cancels', async () => {
    open()
    const grip = await handle('주스')
    laidOut()
    const press = async (code: string) => {
      fireEvent.keyDown(document.activeElement ?? document.body, { code })
      await act(() => new Promise((resolve) => setTimeout(resolve)))
    }
    grip.focus()
    await press('Space')
    await press('ArrowUp')
    expect(announcement()).toBe('주스: ‘자전거’ 안의 2번째 자리입니다.')
    await press('ArrowUp')
    expect(announcement()).toBe('주스: ‘자전거 › 로드’ 안의 1번째 자리입니다.')
    await press('ArrowUp')
    expect(announcement()).toBe('주스: ‘자전거’ 안의 1번째 자리입니다.')
    await press('ArrowUp')
    expect(announcement()).toBe('주스: 맨 위 단계의 1번째 자리입니다.')
    await press('Escape')
    expect(announcement()).toBe('')
    expect(moved).toEqual([])
    grip.focus()
    await press('Space')
    for (let i = 0; i < 4; i += 1) await press('ArrowUp')
    await press('Space')
    await waitFor(() => expect(moved).toEqual([['c3', { parent: '', before: 'c1', version: 7 }]]))
  })

  it('to another level requires confirmation', async () => {
    open()
    await drop('주스', '로드')
    const question = await screen.findByRole('alertdialog', {
      name: /‘주스’ 카테고리를 ‘자전거 › 로드’ 안으로 옮길까요/,
    })
    expect(moved).toEqual([])
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(question.isConnected).toBe(false))
    expect(moved).toEqual([])
  })

  it('too deep into the tree is refused with a message', async () => {
    const deep = { ...bikes, children: [{ ...road, children: [named('c4', '입문', 3)] }] }
    server.use(
      http.get('*/api/console/shop/categories', () => HttpResponse.json({ version: 7, categories: [deep, juice] })),
    )
    open()
    await drop('주스', '입문', false)
    expect(await screen.findByText(/‘주스’ 카테고리를 그 자리로 옮길 수 없습니다/)).toBeTruthy()
    expect(moved).toEqual([])
  })

  it('reports the new place, and can be undone', async () => {
    open()
    await drop('주스', '로드')
    await userEvent.click(await screen.findByRole('button', { name: '옮기기' }))
    expect(await screen.findByText('‘주스’ 카테고리를 ‘자전거 › 로드’ 안의 1번째로 옮겼습니다.')).toBeTruthy()
    fireEvent.click(await screen.findByRole('button', { name: '되돌리기' }))
    await waitFor(() =>
      expect(moved).toEqual([
        ['c3', { parent: 'c2', before: '', version: 7 }],
        ['c3', { parent: '', before: '', version: 8 }],
      ]),
    )
  })

  it('by keyboard and touch, step by step or to another parent, reports it too', async () => {
    open()
    await userEvent.click(await screen.findByRole('button', { name: '주스 위로' }))
    expect(await screen.findByText('‘주스’ 카테고리를 맨 위 단계의 1번째로 옮겼습니다.')).toBeTruthy()
    expect(moved).toEqual([['c3', { parent: '', before: 'c1', version: 7 }]])
    await userEvent.click(screen.getByRole('button', { name: '로드 수정' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.selectOptions(dialog.getByLabelText('상위 카테고리'), 'c3')
    await userEvent.click(dialog.getByRole('button', { name: '저장' }))
    expect(await screen.findByText('‘로드’ 카테고리를 ‘주스’ 안의 1번째로 옮겼습니다.')).toBeTruthy()
    expect(moved[1]).toEqual(['c2', { name: '로드', shows: true, parent: 'c3', before: '', version: 7 }])
  })
})
