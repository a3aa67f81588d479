// The dialog of any command.
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../api/errors'
import { useForm } from '../../features/forms/useForm'
import { renderPage } from '../../testing/render'
import { ConfirmHost } from '../../ui/confirm'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { CommandDialog } from './CommandDialog'
import { recordWords } from './words'

type Props = {
  send?: () => Promise<unknown>
  read?: { data: unknown; error: unknown; refetch: () => unknown }
  isThere?: boolean
  onClose?: () => void
}

function Naming({ send = async () => undefined, read, isThere = true, onClose = () => undefined }: Props) {
  const form = useForm({ initial: { name: '' }, check: () => ({}), send, onSent: onClose })
  return (
    <CommandDialog title="이름 변경" form={form} read={read} onClose={onClose}>
      {isThere && (
        <Field label="이름" error={form.errors.name}>
          <Input {...form.text('name')} />
        </Field>
      )}
    </CommandDialog>
  )
}

/** Renders the dialog; returns a function that rerenders it with other props. */
function show(first: Props): (next: Props) => void {
  let setProps: (next: Props) => void = () => undefined
  function Page() {
    const [props, set] = useState(first)
    setProps = set
    return <Naming {...props} />
  }
  renderPage(
    <>
      <Page />
      <ConfirmHost />
    </>,
  )
  return (next) => act(() => setProps(next))
}
const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: '이름' })
const save = () => userEvent.click(screen.getByRole('button', { name: '저장' }))
const refusing = (error: ApiError) => async () => {
  throw error
}

afterEach(() => vi.unstubAllGlobals())

describe('closing', () => {
  it.each(['Esc', '닫기'])('asks for confirmation only after input: %s', async (way) => {
    const onClose = vi.fn()
    show({ onClose })
    const leave = async () => {
      const { getAllByRole } = within(screen.getByRole('dialog', { hidden: true }))
      if (way === 'Esc') await userEvent.keyboard('{Escape}')
      else await userEvent.click(getAllByRole('button', { name: '닫기' }).at(-1) as HTMLElement)
    }
    await userEvent.type(await field(), '봄')
    await leave()
    const question = await screen.findByRole('alertdialog', { name: recordWords.leave })
    await userEvent.click(within(question).getByRole('button', { name: '아니요' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(onClose).not.toHaveBeenCalled()
    expect((await field()).value).toBe('봄')
    await userEvent.clear(await field())
    await leave()
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  })

  it('is disabled while the command is in flight', async () => {
    const onClose = vi.fn()
    let end: (value?: unknown) => void = () => undefined
    show({ onClose, send: () => new Promise((resolve) => (end = resolve)) })
    await userEvent.type(await field(), '봄')
    await save()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(onClose).not.toHaveBeenCalled()
    end()
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  })
})

describe('a refusal', () => {
  it('is shown at its field, which gets the focus', async () => {
    const fields = [{ field: 'name', code: 'taken', message: '이미 있는 이름입니다.' }]
    show({ send: refusing(new ApiError(400, 'invalid', '확인해 주세요.', fields)) })
    await save()
    const told = await screen.findByText('이미 있는 이름입니다.')
    expect((await field()).getAttribute('aria-describedby')).toBe(told.id)
    await waitFor(async () => expect(document.activeElement).toBe(await field()))
    expect(screen.queryByText('확인해 주세요.')).toBeNull()
  })

  it('without a field is announced', async () => {
    show({ send: refusing(new ApiError(409, 'not_allowed_now', '지금은 바꿀 수 없습니다.')) })
    await save()
    expect((await screen.findByRole('alert')).textContent).toBe('지금은 바꿀 수 없습니다.')
  })

  it('is still shown when the subject of the fields is gone', async () => {
    const read = { data: {}, error: null, refetch: () => undefined }
    const send = refusing(new ApiError(409, 'not_allowed_now', '신청이 철회되었습니다.'))
    const again = show({ read, send })
    await save()
    await screen.findByRole('alert')
    again({ read, send, isThere: false })
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.getByRole('alert').textContent).toContain('신청이 철회되었습니다.')
    expect(screen.getByRole('button', { name: '저장' }).ariaDisabled).toBe('true')
  })
})

describe('data that is loaded first', () => {
  const read = { data: undefined, error: null, refetch: () => undefined }

  it('is awaited, and then the first field gets the focus', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => undefined }))
    const again = show({ read, isThere: false })
    expect(await screen.findByText('불러오는 중')).toBeTruthy()
    again({ read: { ...read, data: {} } })
    expect(document.activeElement).toBe(await field())
  })

  it('does not move the focus if the user has moved it meanwhile', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => undefined }))
    const again = show({ read, isThere: false })
    await screen.findByText('불러오는 중')
    const close = screen.getAllByRole('button', { name: '닫기' }).at(-1)
    close?.focus()
    again({ read: { ...read, data: {} } })
    await field()
    expect(document.activeElement).toBe(close)
  })
})
