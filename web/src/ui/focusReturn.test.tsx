// The focus returns to what opened a layer, however it is closed; unless closing has moved it elsewhere.
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { expect, it } from 'vitest'
import { ConfirmHost, confirmDialog } from './confirm'
import { Dialog, Sheet } from './Dialog'

function Opener({ layer }: { layer: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        열기
      </button>
      <input aria-label="메모" />
      {open && layer(() => setOpen(false))}
    </>
  )
}
const opener = () => screen.getByRole('button', { name: '열기', hidden: true })
const open = async (role: 'dialog' | 'alertdialog') => {
  opener().focus()
  await userEvent.keyboard('{Enter}')
  await screen.findByRole(role)
  expect(document.activeElement).not.toBe(opener())
}

it.each([
  ['dialog', Dialog],
  ['sheet', Sheet],
])('of a %s', async (_, Layer) => {
  render(<Opener layer={(close) => <Layer open onOpenChange={close} title="옵션" />} />)
  await open('dialog')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(opener()))
})

it('of a dialog whose field takes the focus itself', async () => {
  const Layer = ({ close }: { close: () => void }) => (
    <Dialog open onOpenChange={close} title="옵션">
      <input aria-label="찾기" autoFocus />
    </Dialog>
  )
  render(<Opener layer={(close) => <Layer close={close} />} />)
  await open('dialog')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(opener()))
})

it('of a confirmation', async () => {
  render(
    <>
      <button type="button" onClick={() => void confirmDialog({ title: '지울까요?' })}>
        열기
      </button>
      <ConfirmHost />
    </>,
  )
  await open('alertdialog')
  await userEvent.click(screen.getByRole('button', { name: '네' }))
  await waitFor(() => expect(document.activeElement).toBe(opener()))
})

it('but stays where closing has moved it', async () => {
  const toMemo = (close: () => void) => () => {
    close()
    setTimeout(() => screen.getByLabelText('메모').focus())
  }
  render(<Opener layer={(close) => <Dialog open onOpenChange={toMemo(close)} title="옵션" />} />)
  await open('dialog')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('메모')))
})
