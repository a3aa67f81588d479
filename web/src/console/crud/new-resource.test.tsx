// A kind that is only declared gets its list, its form and its history from the CRUD framework. Its server schema is
// testing/recipe.json, which a server test keeps up to date.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { useSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { recipe } from '../../testing/recipe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import { happened } from '../testing'
import type { Document } from './formState'
import { ListDetailPage } from './ListDetailPage'

withServer()

const PRODUCT = { _id: 'p1', name: '당근', code: 'JU-03' }
let kept: Document[] = []

beforeEach(() => {
  kept = []
  useSession.setState({ payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] } })
  const path = `*${recipe.schema.path}`
  const one = (id: unknown) => kept.find((document) => document._id === id) ?? {}
  server.use(
    http.get(path, () => HttpResponse.json({ summary: { totalCount: kept.length }, recipes: kept })),
    http.post(path, async ({ request }) => {
      kept.push({ ...((await request.json()) as Document), _id: 'r1', version: 1 })
      return HttpResponse.json({ recipe: kept[0] }, { status: 201 })
    }),
    http.get(`${path}/:id`, ({ params }) => HttpResponse.json({ recipe: one(params.id) })),
    http.put(`${path}/:id`, async ({ params, request }) => {
      const { version, ...changes } = (await request.json()) as Document
      Object.assign(one(params.id), changes, { version: Number(version) + 1 })
      return HttpResponse.json({ recipe: one(params.id) })
    }),
    http.get(`${path}/:id/history`, () =>
      HttpResponse.json({
        events: [happened(1, 'RecipeCreated', '등록했습니다', { version: 1 })].concat(
          kept[0]?.version === 2
            ? happened(2, 'RecipeRevised', '수정했습니다', {
                version: 2,
                changes: { name: { from: '당근 주스', to: kept[0].name } },
              })
            : [],
        ),
      }),
    ),
    http.get('*/api/console/shop/products', () =>
      HttpResponse.json({ summary: { totalCount: 1 }, products: [PRODUCT] }),
    ),
    http.get('*/api/console/shop/products/:id', () => HttpResponse.json({ product: PRODUCT })),
    http.get('*/api/console/views', () => HttpResponse.json({ views: [] })),
  )
})
afterAll(() => useSession.setState({ payload: undefined }))

it('a new kind is listed, created with its list and its reference, changed, and shown in its history', {
  timeout: 30_000,
}, async () => {
  const user = userEvent.setup()
  const { router, container } = renderPage(
    <>
      <ListDetailPage def={recipe} />
      <ConfirmHost />
    </>,
    recipe.page,
  )
  const [make] = await screen.findAllByRole('link', { name: '새로 만들기' })
  await user.click(make as HTMLElement)
  await user.type(await screen.findByLabelText(/^레시피명/), '당근 주스')
  await user.type(screen.getByRole('combobox', { name: /^상품/ }), '당근')
  await user.click(await screen.findByRole('option', { name: /당근/ }))
  await user.click(screen.getByRole('button', { name: '순서 추가' }))
  const step = within(screen.getByRole('listitem', { name: '순서 1' }))
  await user.type(step.getByLabelText(/^할 일/), '씻는다')
  await user.type(step.getByLabelText(/^걸리는 시간/), '2')
  expect(await a11yViolations(container)).toEqual([])
  await user.click(screen.getByRole('button', { name: '저장' }))
  await waitFor(() => expect(router.state.location.search).toBe('?id=r1'))
  expect(kept[0]).toMatchObject({ name: '당근 주스', _product: 'p1', steps: [{ text: '씻는다', minutes: 2 }] })

  await screen.findByRole('heading', { level: 1, name: '당근 주스' })
  const name = await screen.findByLabelText(/^레시피명/)
  await user.clear(name)
  await user.type(name, '당근 사과 주스')
  await user.click(screen.getByRole('button', { name: '저장' }))
  await screen.findByText('수정했습니다')
  expect(kept[0]).toMatchObject({ name: '당근 사과 주스', version: 2, steps: [{ text: '씻는다', minutes: 2 }] })
  expect(screen.getByText(/레시피명:/).parentElement?.textContent).toMatch(/당근 주스.*→.*당근 사과 주스/)
  expect(await a11yViolations(container)).toEqual([])
})
