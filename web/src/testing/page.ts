// Before every test file with a page: a clean browser, and the things jsdom lacks.
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'sonner'
import { afterAll, afterEach } from 'vitest'

// a busy machine takes its time
configure({ asyncUtilTimeout: 20_000 })

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

/** How long a notice takes to leave, and a little more, in milliseconds. */
const LEAVES = 300

// one that leaves when the test is over still asks for the page
afterAll(async () => {
  if (toast.getHistory().length > 0) await new Promise((resolve) => setTimeout(resolve, LEAVES))
})

// the style sheets libraries bring along: jsdom holds each rule against each element it is asked for
for (const sheet of document.querySelectorAll('style')) sheet.remove()

Object.assign(window, { scrollTo: () => undefined })
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Element.prototype.hasPointerCapture ??= () => false
Element.prototype.scrollIntoView ??= () => undefined
