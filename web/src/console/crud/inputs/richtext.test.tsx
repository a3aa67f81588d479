// Pictures inside a text are described by the author, not by their file name.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { renderPage } from '../../../testing/render'
import RichText from './RichText'

afterEach(() => vi.restoreAllMocks())

const shown = (value: string) => {
  const onValueChange = vi.fn()
  renderPage(<RichText label="설명" value={value} onValueChange={onValueChange} />, '/')
  return { onValueChange, alt: screen.getByRole('button', { name: '선택한 사진의 대체 텍스트' }) }
}

it("edits a picture's description", async () => {
  const { onValueChange, alt } = shown('<img src="/files/1.png" alt="IMG 2024">')
  const prompt = vi.spyOn(window, 'prompt').mockReturnValue(' 파란 로드 바이크 ')
  await userEvent.click(alt)
  expect(prompt.mock.calls[0]?.[1]).toBe('IMG 2024')
  expect(onValueChange).toHaveBeenLastCalledWith(expect.stringContaining('alt="파란 로드 바이크"'))
  prompt.mockReturnValue(null)
  await userEvent.click(alt)
  expect(onValueChange).toHaveBeenCalledTimes(1)
})

it('offers no description without a selected picture', () => {
  expect((shown('<p>글</p>').alt as HTMLButtonElement).disabled).toBe(true)
})
