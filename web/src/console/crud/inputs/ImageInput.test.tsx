// Read-only pictures of a record.
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ImageInput, ImagesInput } from './ImageInput'

it('offers no drop area for read-only pictures', () => {
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

it('offers no button to add read-only pictures', () => {
  render(<ImagesInput label="사진" value={[{ url: '/a.webp', alt: '' }]} onValueChange={() => undefined} disabled />)
  expect(screen.queryByText('사진이 없습니다.')).toBeNull()
  expect(screen.queryByRole('button', { name: '사진 선택' })).toBeNull()
})
