import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { StartDateCell } from './cells'

it.each([
  // Midnight in Seoul.
  ['2026-03-01T15:00:00Z', '2026. 03. 02.'],
  ['2026-03-01T16:30:00Z', '2026. 03. 02. 01:30'],
])('terms that take effect at %s show the day %s', (startsAt, said) => {
  const { container } = render(<StartDateCell row={{ _id: 't1', version: 1, startsAt }} />)
  expect(container.textContent?.trim()).toBe(said)
})
