// Pictures one at a time: slides, and the lightbox.
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { a11yViolations } from '../testing/axe'
import { Lightbox, Zoom } from './ImageLightbox'
import { PictureSlide } from './PictureSlide'

const PICTURES = [{ url: '/a.webp', alt: '앞' }, { url: '/b.webp', alt: '옆' }, { url: '/c.webp' }]

function Pictures() {
  const [open, setOpen] = useState<number>()
  return (
    <>
      <button type="button" onClick={() => setOpen(1)}>
        두 번째
      </button>
      <Lightbox
        name="자전거"
        pictures={PICTURES}
        at={open ?? 0}
        onAt={setOpen}
        open={open !== undefined}
        onOpenChange={() => setOpen(undefined)}
      />
    </>
  )
}
const shown = () => screen.getByRole('img').getAttribute('alt')

it('by keyboard: the arrow keys wrap around, Escape closes and restores the focus', async () => {
  render(<Pictures />)
  await userEvent.click(screen.getByRole('button', { name: '두 번째' }))
  expect(await screen.findByRole('dialog', { name: '자전거 사진 크게 보기' })).toBeTruthy()
  expect(shown()).toBe('옆')
  expect(await a11yViolations()).toEqual([])
  await userEvent.keyboard('{ArrowRight}')
  // Without an alternative text the subject is used.
  expect(shown()).toBe('자전거')
  await userEvent.keyboard('{ArrowRight}')
  expect(shown()).toBe('앞')
  expect(screen.getByText('1 / 3').getAttribute('aria-live')).toBe('polite')
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(shown()).toBe('옆')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: '두 번째' })))
})

it('by touch: a swipe changes the picture, a short move or two fingers do not', async () => {
  render(<Pictures />)
  await userEvent.click(screen.getByRole('button', { name: '두 번째' }))
  const viewer = await screen.findByRole('dialog')
  const swipe = (from: number, to: number, fingers = 1) => {
    const touches = Array.from({ length: fingers }, () => ({ clientX: from, clientY: 0 }))
    fireEvent.touchStart(viewer, { touches, changedTouches: touches })
    fireEvent.touchEnd(viewer, { changedTouches: [{ clientX: to, clientY: 0 }] })
  }
  swipe(200, 100)
  expect(shown()).toBe('자전거')
  swipe(100, 200)
  expect(shown()).toBe('옆')
  swipe(100, 120)
  swipe(200, 100, 2)
  expect(shown()).toBe('옆')
})

it('opens from the picture that zooms under the pointer', async () => {
  render(<Zoom name="자전거" pictures={PICTURES} at={0} onAt={() => undefined} />)
  const picture = screen.getByRole('button', { name: '자전거 사진 크게 보기' })
  picture.focus()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByRole('dialog')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '닫기' }))
  await waitFor(() => expect(document.activeElement).toBe(picture))
})

it('is a slide beside its text, or below it if the picture is wide', () => {
  const { rerender } = render(<PictureSlide picture={{ url: '/a.webp' }} title="봄" index={1} variant="main" />)
  const picture = document.querySelector('img') as HTMLImageElement
  expect(picture.className).not.toContain('inset-0')
  const size = (width: number) => Object.defineProperty(picture, 'naturalWidth', { value: width, configurable: true })
  Object.defineProperty(picture, 'naturalHeight', { value: 100, configurable: true })
  size(300)
  fireEvent.load(picture)
  expect(picture.className).toContain('inset-0')
  // The size of another picture in the same slide is not known yet.
  rerender(<PictureSlide picture={{ url: '/b.webp' }} title="봄" index={1} variant="main" />)
  expect(picture.className).not.toContain('inset-0')
})
