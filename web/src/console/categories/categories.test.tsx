// The category page: what was typed is not lost by a slip, and a removal can be taken back.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Questions } from '../../ui/ask'
import { flushRemovals } from '../kit/removal'
import { words } from '../words'
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
      return HttpResponse.json({})
    }),
  )
})

const open = () =>
  renderPage(
    <>
      <Categories />
      <Questions />
    </>,
    '/console/shop/categories',
  )

it('asks before a dialog takes what was typed with it', async () => {
  open()
  await userEvent.click(await screen.findByRole('button', { name: '자전거 수정' }))
  await userEvent.type(within(await screen.findByRole('dialog')).getByLabelText(/이름/), '들')
  await userEvent.keyboard('{Escape}')
  await screen.findByRole('alertdialog', { name: words.record.leave })
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(within(screen.getByRole('dialog')).getByLabelText(/이름/)).toHaveProperty('value', '자전거들')
})

it('closes an untouched dialog at once', async () => {
  open()
  await userEvent.click(await screen.findByRole('button', { name: '자전거 수정' }))
  await screen.findByRole('dialog')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('says why a category stays', async () => {
  const road = { ...bikes, _id: 'c2', code: 'road', name: '로드', depth: 2 }
  server.use(
    http.get('*/api/console/shop/categories', () =>
      HttpResponse.json({ version: 1, categories: [{ ...bikes, children: [road] }] }),
    ),
  )
  open()
  const bin = await screen.findByRole('button', { name: '자전거 삭제: 하위 카테고리가 있어 삭제할 수 없습니다' })
  expect(bin).toHaveProperty('disabled', true)
  expect(screen.getByRole('button', { name: '로드 삭제' })).toHaveProperty('disabled', false)
})

it('takes a category out of sight and tells the server only when it cannot be taken back', async () => {
  open()
  await userEvent.click(await screen.findByRole('button', { name: '자전거 삭제' }))
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: '삭제' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: '자전거 삭제' })).toBeNull())
  expect(removed).toEqual([])
  flushRemovals()
  await waitFor(() => expect(removed).toEqual(['c1']))
})
