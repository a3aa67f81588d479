// Before every test file: a clean browser, and the things jsdom lacks.
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// a busy machine takes its time
configure({ asyncUtilTimeout: 5_000 })

afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})

Object.assign(window, { scrollTo: () => undefined })
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Element.prototype.hasPointerCapture ??= () => false
Element.prototype.scrollIntoView ??= () => undefined
