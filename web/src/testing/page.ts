// Setup of test files with a page: a clean browser, and APIs that jsdom lacks.
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterAll, afterEach } from 'vitest'

// allows for a busy machine
configure({ asyncUtilTimeout: 20_000 })

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

/** Duration of a toast's exit animation, with a margin, in milliseconds. */
const LEAVES = 300

// a toast that leaves after the tests still accesses the page
afterAll(async () => {
  if (toast.getHistory().length > 0) await new Promise((resolve) => setTimeout(resolve, LEAVES))
})

// style sheets of libraries: jsdom matches each rule against each queried element
for (const sheet of document.querySelectorAll('style')) sheet.remove()

Object.assign(window, { scrollTo: () => undefined })
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Element.prototype.hasPointerCapture ??= () => false
Element.prototype.scrollIntoView ??= () => undefined
