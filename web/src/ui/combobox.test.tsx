// The combobox by keyboard, by pointer, and for screen readers.
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type FormEvent, useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { a11yViolations } from '../testing/axe'
import { ComboboxList } from './ComboboxList'
import { useCombobox } from './useCombobox'

const FRUITS = ['당근', '레몬', '망고']
const chosen = vi.fn()
const submitted = vi.fn((event: FormEvent) => event.preventDefault())
beforeEach(() => {
  chosen.mockClear()
  submitted.mockClear()
})

function Fruits({ autoSelect, isStale }: { autoSelect?: boolean; isStale?: boolean }) {
  const [typed, setTyped] = useState<string>()
  const found = FRUITS.filter((fruit) => fruit.includes(typed ?? ''))
  const combobox = useCombobox({
    keys: found,
    open: typed !== undefined,
    autoSelect,
    isStale,
    onOpen: () => setTyped(''),
    onClose: () => setTyped(undefined),
    onChoose: (index) => {
      chosen(found[index])
      setTyped(undefined)
    },
  })
  return (
    <form onSubmit={submitted}>
      <input
        {...combobox.inputProps}
        aria-label="과일"
        value={typed ?? ''}
        onChange={(event) => {
          setTyped(event.target.value)
          combobox.reset()
        }}
      />
      {typed !== undefined && (
        <ComboboxList combobox={combobox} label="과일 목록" options={found} keyOf={(fruit) => fruit} empty="없습니다">
          {(fruit) => fruit}
        </ComboboxList>
      )}
    </form>
  )
}
const box = () => screen.getByRole('combobox')
const active = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent

it('opens by an arrow key, wraps around, selects by Enter and closes by Escape', async () => {
  render(<Fruits autoSelect />)
  box().focus()
  expect(box().getAttribute('aria-expanded')).toBe('false')
  expect(box().getAttribute('aria-controls')).toBeNull()
  await userEvent.keyboard('{ArrowDown}')
  expect(box().getAttribute('aria-expanded')).toBe('true')
  expect(box().getAttribute('aria-controls')).toBe(screen.getByRole('listbox', { name: '과일 목록' }).id)
  expect(active()).toBe('당근')
  expect(await a11yViolations()).toEqual([])
  await userEvent.keyboard('{ArrowUp}')
  expect(active()).toBe('망고')
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('망고')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  expect(chosen).toHaveBeenCalledExactlyOnceWith('레몬')
  await userEvent.keyboard('{ArrowDown}{Escape}')
  expect(screen.queryByRole('listbox')).toBeNull()
  expect(submitted).not.toHaveBeenCalled()
})

it('without autoSelect includes the text itself, which Enter submits', async () => {
  render(<Fruits />)
  await userEvent.type(box(), '{ArrowDown}')
  expect(active()).toBeUndefined()
  await userEvent.keyboard('{ArrowDown}')
  expect(active()).toBe('당근')
  await userEvent.keyboard('{ArrowUp}')
  expect(active()).toBeUndefined()
  await userEvent.keyboard('{Enter}')
  expect(submitted).toHaveBeenCalledOnce()
  expect(chosen).not.toHaveBeenCalled()
})

it('resets when the text changes, and shows that nothing was found', async () => {
  render(<Fruits autoSelect />)
  await userEvent.type(box(), '{ArrowDown}{ArrowDown}고')
  expect(active()).toBe('망고')
  await userEvent.type(box(), '구마')
  expect(screen.getByRole('status').textContent).toBe('없습니다')
  await userEvent.keyboard('{Enter}')
  expect(chosen).not.toHaveBeenCalled()
  expect(submitted).not.toHaveBeenCalled()
})

it('selects nothing by Enter while the options belong to an earlier text, and then the first of this one', async () => {
  const { rerender } = render(<Fruits autoSelect isStale />)
  await userEvent.type(box(), '레{Enter}')
  expect(chosen).not.toHaveBeenCalled()
  rerender(<Fruits autoSelect />)
  expect(chosen).toHaveBeenCalledExactlyOnceWith('레몬')
})

it('drops a waiting Enter when the text changes or the list closes', async () => {
  const { rerender } = render(<Fruits autoSelect isStale />)
  await userEvent.type(box(), '레{Enter}몬')
  rerender(<Fruits autoSelect />)
  rerender(<Fruits autoSelect isStale />)
  await userEvent.type(box(), '{Enter}{Escape}')
  rerender(<Fruits autoSelect />)
  await userEvent.type(box(), '망')
  expect(chosen).not.toHaveBeenCalled()
})

it('ignores keys that compose Hangul', () => {
  render(<Fruits autoSelect />)
  fireEvent.change(box(), { target: { value: '망' } })
  fireEvent.keyDown(box(), { key: 'Enter', isComposing: true })
  expect(chosen).not.toHaveBeenCalled()
})

it('selects by a click on an option, and keeps the focus in the box', async () => {
  render(<Fruits />)
  await userEvent.type(box(), '{ArrowDown}')
  const option = screen.getByRole('option', { name: '레몬' })
  // A touch that scrolls does not click.
  fireEvent.pointerDown(option, { pointerType: 'touch' })
  fireEvent.mouseDown(option)
  expect(chosen).not.toHaveBeenCalled()
  await userEvent.click(option)
  expect(chosen).toHaveBeenCalledExactlyOnceWith('레몬')
  expect(document.activeElement).toBe(box())
})
