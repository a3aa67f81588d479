// A form: validation, the server's errors at fields, and focus.
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '../../api/errors'
import { AppQueryClient } from '../../api/queryClient'
import { Field, Fieldset } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input } from '../../ui/Input'
import { useForm } from './useForm'

type Values = { name: string; to: { phone: string }; star: number }
const send = vi.fn<(values: Values) => Promise<string>>()
const sent = vi.fn()
beforeEach(() => {
  send.mockReset().mockResolvedValue('완료')
  sent.mockReset()
})

function Form({ confirm }: { confirm?: () => Promise<boolean> }) {
  const form = useForm({
    initial: { name: '', to: { phone: '' }, star: 1 },
    check: ({ name, to, star }) => ({
      name: name.trim() === '' ? '이름을 입력해 주세요.' : undefined,
      'to.phone': to.phone === '' ? '번호를 입력해 주세요.' : undefined,
      star: star === 0 ? '별점을 선택해 주세요.' : undefined,
    }),
    send,
    onSent: sent,
    confirm,
  })
  return (
    <form {...form.formProps}>
      <Fieldset legend="별점" error={form.errors.star}>
        <input type="radio" aria-label="없음" onChange={() => form.set({ star: 0 })} checked={form.values.star === 0} />
      </Fieldset>
      <Field label="이름" error={form.errors.name}>
        <Input {...form.text('name')} onBlur={() => form.touch('name')} />
      </Field>
      <Field label="번호" error={form.errors['to.phone']}>
        <Input value={form.values.to.phone} onChange={(event) => form.set({ to: { phone: event.target.value } })} />
      </Field>
      <FormError>{form.errors.form}</FormError>
      <output>{form.isDirty ? '고침' : '그대로'}</output>
      <button type="submit" disabled={form.isPending}>
        저장
      </button>
    </form>
  )
}
const show = (confirm?: () => Promise<boolean>) =>
  render(
    <QueryClientProvider client={new AppQueryClient()}>
      <Form confirm={confirm} />
    </QueryClientProvider>,
  )
const name = () => screen.getByRole('textbox', { name: '이름' })
const phone = () => screen.getByRole('textbox', { name: '번호' })
const alerts = () => screen.queryAllByRole('alert').map((one) => one.textContent)
const save = () => userEvent.click(screen.getByRole('button', { name: '저장' }))
const refuse = (...fields: string[]) =>
  send.mockRejectedValueOnce(
    new ApiError(
      422,
      'invalid',
      '거절했습니다.',
      fields.map((field) => ({ field, code: 'bad', message: `${field} 거절` })),
    ),
  )

it('shows errors, focuses the first one, and revalidates on change from then on', async () => {
  show()
  expect(alerts()).toEqual([])
  await save()
  expect(alerts()).toEqual(['이름을 입력해 주세요.', '번호를 입력해 주세요.'])
  expect(document.activeElement).toBe(name())
  expect(send).not.toHaveBeenCalled()
  await userEvent.type(name(), '가나')
  expect(alerts()).toEqual(['번호를 입력해 주세요.'])
  await save()
  expect(document.activeElement).toBe(phone())
})

it('focuses a choice in a fieldset if that is the first error', async () => {
  show()
  await userEvent.click(screen.getByRole('radio'))
  await save()
  expect(document.activeElement).toBe(screen.getByRole('radio'))
})

it('sends the values once, however often Enter is pressed, and passes the response on', async () => {
  let answer: (text: string) => void = () => undefined
  send.mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  show()
  await userEvent.type(name(), '가나')
  await userEvent.type(phone(), '010{Enter}{Enter}')
  expect(send).toHaveBeenCalledOnce()
  expect(send.mock.calls[0]?.[0]).toEqual({ name: '가나', to: { phone: '010' }, star: 1 })
  await act(async () => answer('완료'))
  expect(sent).toHaveBeenCalledWith('완료')
})

it("shows the server's error at its field until that value changes, and other errors as the form's", async () => {
  show()
  await userEvent.type(name(), '가나')
  await userEvent.type(phone(), '010')
  refuse('to.phone', 'unknown')
  await save()
  expect(alerts()).toEqual(['to.phone 거절', 'unknown 거절'])
  expect(document.activeElement).toBe(phone())
  await userEvent.type(name(), '다')
  expect(alerts()).toEqual(['to.phone 거절', 'unknown 거절'])
  await userEvent.type(phone(), '1')
  expect(alerts()).toEqual(['unknown 거절'])
  refuse()
  await save()
  expect(alerts()).toEqual(['거절했습니다.'])
  await save()
  expect(alerts()).toEqual([])
})

it("shows a field's error on blur, once something was entered", async () => {
  show()
  await userEvent.click(name())
  await userEvent.tab()
  expect(alerts()).toEqual([])
  await userEvent.type(name(), ' ')
  await userEvent.tab()
  expect(alerts()).toEqual(['이름을 입력해 주세요.'])
})

it('is dirty while a value differs from the initial one', async () => {
  show()
  await userEvent.type(name(), '가')
  expect(screen.getByRole('status').textContent).toBe('고침')
  await userEvent.clear(name())
  expect(screen.getByRole('status').textContent).toBe('그대로')
})

it('sends nothing without confirmation', async () => {
  const confirm = vi.fn().mockResolvedValue(false)
  show(confirm)
  await save()
  expect(confirm).not.toHaveBeenCalled()
  await userEvent.type(name(), '가나')
  await userEvent.type(phone(), '010')
  await save()
  expect(confirm).toHaveBeenCalledOnce()
  expect(send).not.toHaveBeenCalled()
})
