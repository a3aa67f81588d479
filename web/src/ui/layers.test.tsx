// "Back" closes the top layer and keeps the page; history navigation shows no trace of closed layers.
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { createBrowserRouter, RouterProvider, useBlocker } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { registerRouter } from '../lib/router'
import { ConfirmHost, confirmDialog } from './confirm'
import { Sheet } from './Dialog'
import { Link } from './Link'
import { layersSettled } from './layers'

const drawn = vi.fn()

function Page() {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  drawn()
  return (
    <>
      <h1>상품</h1>
      <input aria-label="메모" value={text} onChange={(event) => setText(event.target.value)} />
      <button type="button" onClick={() => setOpen(true)}>
        열기
      </button>
      <Sheet open={open} onOpenChange={setOpen} title="필터">
        <Link to="/next">다음으로</Link>
        <Link to="/list?brand=a">브랜드</Link>
        <Link to="/next" replace onClick={() => setOpen(false)}>
          대신하기
        </Link>
        <Link to="/next" onClick={() => setOpen(false)}>
          닫고 가기
        </Link>
        <button type="button" onClick={() => void confirmDialog({ title: '지울까요?' })}>
          묻기
        </button>
      </Sheet>
    </>
  )
}

function GuardedLayer() {
  const blocker = useBlocker(true)
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void confirmDialog({ title: '나갈까요?' }).then(async (yes) => {
      await layersSettled()
      if (yes) blocker.proceed()
    })
  }, [blocker])
  return <h1>양식</h1>
}

/** The browser's state of the page: its address, and whether an entry of a layer is on top. */
const place = () => [location.pathname + location.search, history.state?.layer ?? 0].join(' ')
const at = (what: string) => waitFor(() => expect(place()).toBe(what))
const calm = async () => act(() => new Promise<void>((over) => setTimeout(over, 40)))
const back = async (by = 1) => {
  act(() => history.go(-by))
  await calm()
}
const forward = async () => {
  act(() => history.forward())
  await calm()
}

/** A visit: `/`, then the list. */
async function visit() {
  window.history.pushState(null, '', '/')
  const router = createBrowserRouter([
    { path: '/', element: <h1>처음</h1> },
    { path: '/list', element: <Page />, loader: () => null },
    { path: '/next', element: <h1>다음</h1>, loader: () => null },
    { path: '/form', element: <GuardedLayer /> },
  ])
  registerRouter(router)
  render(
    <>
      <RouterProvider router={router} />
      <ConfirmHost />
    </>,
  )
  await act(() => router.navigate('/list'))
  await screen.findByRole('heading', { name: '상품' })
  return router
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const openSheet = async () => {
  await press('열기')
  await screen.findByRole('dialog', { name: '필터' })
  await at('/list 1')
}
const isOpen = () => screen.queryByRole('dialog', { name: '필터' }) !== null
const heading = () => screen.getByRole('heading', { level: 1, hidden: true }).textContent

describe('a layer', () => {
  let router: Awaited<ReturnType<typeof visit>>
  beforeEach(async () => {
    router = await visit()
  })
  afterEach(async () => {
    router.dispose()
    // The layer that was still open removes its entry.
    await new Promise((over) => setTimeout(over, 40))
  })

  it('is closed by "back": the page stays, with its input, and is not read again', async () => {
    await userEvent.type(screen.getByLabelText('메모'), '우유')
    const key = router.state.location.key
    await openSheet()
    await back()
    expect(isOpen()).toBe(false)
    expect(place()).toBe('/list 0')
    expect(screen.getByLabelText('메모')).toHaveProperty('value', '우유')
    expect(router.state.location.key).toBe(key)
    expect(router.state.navigation.state).toBe('idle')
    await back()
    expect(heading()).toBe('처음')
    await forward()
    expect(heading()).toBe('상품')
  })

  it('is not reopened by "forward"', async () => {
    await openSheet()
    await back()
    await forward()
    expect(isOpen()).toBe(false)
    await at('/list 0')
    expect(heading()).toBe('상품')
  })

  it('removes its entry when it is closed otherwise', async () => {
    await openSheet()
    await press('닫기')
    await at('/list 0')
    await back()
    expect(heading()).toBe('처음')
  })

  it('is closed before the one below it', async () => {
    await openSheet()
    await press('묻기')
    await screen.findByRole('alertdialog')
    await at('/list 2')
    await back()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(isOpen()).toBe(true)
    expect(place()).toBe('/list 1')
    await back()
    expect(isOpen()).toBe(false)
    expect(place()).toBe('/list 0')
  })

  it.each(['다음으로', '닫고 가기'])('leaves no entry between two pages: %s', async (name) => {
    await openSheet()
    await userEvent.click(screen.getByRole('link', { name }))
    await waitFor(() => expect(heading()).toBe('다음'))
    await at('/next 0')
    await back()
    expect(heading()).toBe('상품')
    expect(isOpen()).toBe(false)
    await at('/list 0')
    await forward()
    expect(heading()).toBe('다음')
    await back()
    await back()
    expect(heading()).toBe('처음')
  })

  it('leaves no entry between two pages, even with another layer on top', async () => {
    await openSheet()
    await press('묻기')
    await screen.findByRole('alertdialog')
    await at('/list 2')
    await act(() => router.navigate('/next'))
    // The confirmation belongs to the app, not to the page: it stays, and "back" closes it first.
    await at('/next 1')
    await back()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(place()).toBe('/next 0')
    await back()
    expect(heading()).toBe('상품')
    await at('/list 0')
    await back()
    expect(heading()).toBe('처음')
  })

  it('stays open while the page under it changes, and is still closed by "back"', async () => {
    await openSheet()
    await userEvent.click(screen.getByRole('link', { name: '브랜드' }))
    await at('/list?brand=a 1')
    expect(isOpen()).toBe(true)
    await back()
    expect(isOpen()).toBe(false)
    expect(place()).toBe('/list?brand=a 0')
    await back()
    expect(place()).toBe('/list 0')
    expect(isOpen()).toBe(false)
  })

  it('is closed when the page is replaced from within it', async () => {
    await openSheet()
    await userEvent.click(screen.getByRole('link', { name: '대신하기' }))
    await at('/next 0')
    await back()
    expect(heading()).toBe('처음')
  })

  it('allows a confirmation before leaving, and the navigation itself', async () => {
    await act(() => router.navigate('/form'))
    await calm()
    await back()
    await screen.findByRole('alertdialog', { name: '나갈까요?' })
    await at('/form 1')
    await press('네')
    await waitFor(() => expect(heading()).toBe('상품'))
    expect(place()).toBe('/list 0')
  })
})
