// A list sorted by the handles of its items.
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { SortableItems, useSortableItem } from './SortableItems'

const NAMES: Record<string, string> = { a: '당근', b: '레몬', c: '망고' }

function Item({ id, disabled }: { id: string; disabled?: boolean }) {
  const { ref, style, handle } = useSortableItem(id, NAMES[id] ?? '', disabled)
  return (
    <li ref={ref} style={style}>
      {handle}
      {NAMES[id]}
    </li>
  )
}
function List({ disabled }: { disabled?: boolean }) {
  const [ids, setIds] = useState(['a', 'b', 'c'])
  const move = (from: number, to: number) => {
    const next = [...ids]
    next.splice(to, 0, ...next.splice(from, 1))
    setIds(next)
  }
  return (
    <SortableItems ids={ids} nameOf={(id) => NAMES[id] ?? ''} onMove={move}>
      <ol>
        {ids.map((id) => (
          <Item key={id} id={id} disabled={disabled} />
        ))}
      </ol>
    </SortableItems>
  )
}

const items = () => screen.getAllByRole('listitem')
const order = () => items().map((item) => item.textContent)
const handle = (name: string) => screen.getByRole('button', { name: `${name} 끌어서 옮기기` })
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)))

beforeEach(() => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(0, 100 * Math.max(0, items().indexOf(this as HTMLElement)), 400, 100)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

it('by keyboard, with Korean instructions', async () => {
  render(<List />)
  expect(await a11yViolations()).toEqual([])
  const grip = handle('당근')
  expect(grip.getAttribute('aria-roledescription')).toBe('순서를 바꿀 수 있는 항목')
  const help = document.getElementById(grip.getAttribute('aria-describedby') ?? '')
  expect(help?.textContent).toContain('스페이스로 들고')
  const press = async (code: string) => {
    fireEvent.keyDown(document.activeElement ?? document.body, { code })
    await settled()
  }
  grip.focus()
  await press('Space')
  await press('ArrowDown')
  expect(screen.getByRole('status').textContent).toBe('당근: 3개 중 2번째 자리입니다.')
  await press('Space')
  expect(order()).toEqual(['레몬', '당근', '망고'])
  expect(screen.getByRole('status').textContent).toBe('당근: 2번째에 내려놓았습니다.')
})

it('by touch, and not at all where it is read-only', async () => {
  const { rerender } = render(<List />)
  const at = (clientY: number) => ({ isPrimary: true, button: 0, pointerType: 'touch', clientX: 5, clientY })
  fireEvent.pointerDown(handle('망고'), at(250))
  fireEvent.pointerMove(document, at(200))
  await settled()
  fireEvent.pointerMove(document, at(50))
  await settled()
  fireEvent.pointerUp(document, at(50))
  await settled()
  expect(order()).toEqual(['망고', '당근', '레몬'])
  rerender(<List disabled />)
  expect(within(screen.getByRole('list')).queryByRole('button')).toBeNull()
})
