// Pictures of a record somebody may only look at.
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ImageInput, ImagesInput } from './ImageInput'

it('offers no place to drop pictures on where nobody may put any', () => {
  const given = { value: null, onValueChange: () => undefined, disabled: true }
  render(
    <>
      <ImageInput label="대표 사진" {...given} />
      <ImagesInput label="사진" {...given} />
    </>,
  )
  expect(screen.getAllByText('사진이 없습니다.')).toHaveLength(2)
  expect(screen.queryByRole('button', { name: '사진 선택' })).toBeNull()
})

it('adds nothing to pictures that may only be looked at', () => {
  render(<ImagesInput label="사진" value={[{ url: '/a.webp', alt: '' }]} onValueChange={() => undefined} disabled />)
  expect(screen.queryByText('사진이 없습니다.')).toBeNull()
  expect(screen.queryByRole('button', { name: '사진 선택' })).toBeNull()
})
