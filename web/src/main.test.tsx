// Initialisation before the first render.
import { screen } from '@testing-library/react'
import { createMemoryRouter } from 'react-router'
import { afterEach, expect, it, vi } from 'vitest'
import { setCurrency } from './lib/money'
import { Money } from './ui/Money'

vi.mock('./app/router', () => ({
  makeRouter: () => createMemoryRouter([{ path: '*', element: <Money amount={129_000} /> }]),
}))
afterEach(() => {
  setCurrency({ code: 'USD', exponent: 2 })
  document.body.replaceChildren()
})

it('shows the first amounts in the currency embedded in the page', async () => {
  const currency = { code: 'KRW', exponent: 0, step: 100 }
  const everybody = { '/api/v1/setting': { setting: { currency } } }
  document.body.innerHTML = `<div id="root"></div>
    <script type="application/json" id="__DATA__">${JSON.stringify({ everybody, guests: {} })}</script>`
  await import('./main')
  expect(await screen.findByText('₩1,290')).toBeTruthy()
})
