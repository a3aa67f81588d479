// Amounts are shown in the currency from the settings: from the first render on, in forms too, and updated when it changes.
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { apiQueryKey } from '../api/query'
import { AppQueryClient } from '../api/queryClient'
import { coupon } from '../console/coupons/resource'
import { ResourceForm } from '../console/crud/ResourceForm'
import { couponWorth } from '../console/crud/sharedFields'
import { setting as settingDef } from '../console/setting/resource'
import { takeCurrencyFromPage } from '../features/settings/api'
import { formatMoney, setCurrency } from '../lib/money'
import { schemaOf } from '../testing/schemas'
import { server, withServer } from '../testing/server'
import { Money } from '../ui/Money'
import { Root } from './Root'

withServer()

const WON = { code: 'KRW', exponent: 0, step: 100 }
let now = WON
beforeEach(() => {
  now = WON
  server.use(http.get('*/api/v1/setting', () => HttpResponse.json({ setting: { currency: now } })))
})
afterEach(() => {
  setCurrency({ code: 'USD', exponent: 2 })
  document.getElementById('__DATA__')?.remove()
})

const open = (page: React.ReactNode) => {
  const client = new AppQueryClient()
  const router = createMemoryRouter([{ Component: Root, children: [{ path: '*', element: page }] }])
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return client
}

it('is known before the first render: the page embeds it', () => {
  const everybody = { '/api/v1/setting': { setting: { currency: WON } } }
  document.body.insertAdjacentHTML(
    'beforeend',
    `<script type="application/json" id="__DATA__">${JSON.stringify({ everybody, guests: {} })}</script>`,
  )
  expect(formatMoney(129_000)).toBe('$1,290.00')
  takeCurrencyFromPage()
  expect(formatMoney(129_000)).toBe('₩1,290')
})

it('is shown once the setting was read, and updated once it changes', async () => {
  const client = open(<Money amount={129_000} />)
  expect(await screen.findByText('₩1,290')).toBeTruthy()
  now = { code: 'USD', exponent: 2, step: 1 }
  await client.invalidateQueries({ queryKey: apiQueryKey('/api/v1/setting').slice(0, 2) })
  expect(await screen.findByText('$1,290.00')).toBeTruthy()
})

it('is used by forms as well, without decimals if it has none', async () => {
  const onSave = vi.fn(async () => 2)
  const def = {
    ...coupon,
    sections: [{ title: '할인', fields: ['name', couponWorth, 'usage.limit.target.price__min'] }],
  }
  open(
    <ResourceForm
      kind={schemaOf('coupon')}
      def={def}
      document={{
        version: 1,
        name: '쿠폰',
        unit: 'AMOUNT',
        value: 500_000,
        usage: { limit: { target: { price__min: 100 } } },
      }}
      onSave={onSave}
    />,
  )
  await screen.findAllByText('₩')
  const worth = screen.getByLabelText<HTMLInputElement>(/^할인값/)
  expect(worth.value).toBe('5,000')
  expect(screen.getByLabelText<HTMLInputElement>(/최소/).value).toBe('1')
  await userEvent.clear(worth)
  await userEvent.type(worth, '4999.5')
  await userEvent.click(screen.getByRole('button', { name: '저장' }))
  expect(onSave).not.toHaveBeenCalled()
  await userEvent.clear(worth)
  await userEvent.type(worth, '4,999')
  await userEvent.click(screen.getByRole('button', { name: '저장' }))
  expect(onSave).toHaveBeenCalledWith({ value: 499_900 }, 1)
})

it('is read again by the shop when staff save it', () => expect(settingDef.shownBy).toContain('/api/v1/setting'))
