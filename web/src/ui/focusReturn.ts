// The focus returns to where it was when a layer closes. Radix returns it only to a trigger of its own; ours are opened from anywhere.
import { useInsertionEffect, useRef } from 'react'

/** For the content of a dialog. */
export function useFocusReturn(open: boolean): { onCloseAutoFocus: (event: Event) => void } {
  const opener = useRef<Element>(null)
  // Before a field of the layer takes the focus.
  useInsertionEffect(() => {
    if (open) opener.current = document.activeElement
  }, [open])
  return {
    onCloseAutoFocus: (event) => {
      event.preventDefault()
      // Closing may have moved the focus on purpose, e.g. to a faulty field.
      if (document.activeElement !== document.body) return
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    },
  }
}
