// The account of a refund: a bank is chosen from the payment service's list, and a missing list shows an error.
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, HttpResponse, http } from 'msw'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { BankAccountFields, NO_ACCOUNT } from './BankAccountFields'

withServer()

const CONFIG = '*/api/plugins/nicepayments/config'
const config = (banks: { code: string; name: string }[]) => HttpResponse.json({ config: { banks, methods: [] } })
const BANKS = [{ code: '004', name: '국민은행' }]

function Form() {
  const [account, setAccount] = useState(NO_ACCOUNT)
  return (
    <main>
      <BankAccountFields value={account} onValueChange={setAccount} errors={{}} />
      <output>{account.code}</output>
    </main>
  )
}

const bank = () => screen.getByRole('combobox', { name: /환불 은행/ }) as HTMLSelectElement
const again = { name: '은행 목록 다시 불러오기' }

it('shows that the banks are loading, then offers them', async () => {
  server.use(
    http.get(CONFIG, async () => {
      await delay(50)
      return config(BANKS)
    }),
  )
  renderPage(<Form />)
  expect(bank().disabled).toBe(true)
  expect(bank().selectedOptions[0]?.textContent).toBe('은행 목록을 불러오는 중…')
  await waitFor(() => expect(bank().disabled).toBe(false))
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.selectOptions(bank(), '국민은행')
  expect(screen.getByRole('status').textContent).toBe('004')
})

it('shows that loading failed, and loads again on request', async () => {
  let reads = 0
  server.use(http.get(CONFIG, () => (reads++ === 0 ? HttpResponse.json({}, { status: 500 }) : config(BANKS))))
  const { container } = renderPage(<Form />)
  const button = await screen.findByRole('button', again)
  expect(screen.getByRole('alert').textContent).toContain('불러오지 못했습니다')
  expect(bank().getAttribute('aria-invalid')).toBe('true')
  expect(await a11yViolations(container)).toEqual([])
  await userEvent.click(button)
  await waitFor(() => expect(bank().disabled).toBe(false))
  await userEvent.selectOptions(bank(), '004')
  expect(screen.queryByRole('button', again)).toBeNull()
})

it('shows an empty list, and loads it again', async () => {
  let banks: typeof BANKS = []
  server.use(http.get(CONFIG, () => config(banks)))
  renderPage(<Form />)
  const button = await screen.findByRole('button', again)
  expect(screen.getByRole('alert').textContent).toContain('선택할 수 있는 은행이 없습니다')
  banks = BANKS
  await userEvent.click(button)
  await waitFor(() => expect(bank().disabled).toBe(false))
})
