// The focus returns to where it was when a layer closes. Radix returns it only to a trigger of its own; ours are opened from anywhere.
import { useRef } from 'react'

type FocusReturn = { onOpenAutoFocus: (event: Event) => void; onCloseAutoFocus: (event: Event) => void }

/** For the content of a dialog; `begin` chooses where the focus starts inside. */
export function useFocusReturn(begin?: (event: Event) => void): FocusReturn {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus: (event) => {
      opener.current = document.activeElement
      begin?.(event)
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault()
      // Closing may have moved the focus on purpose, e.g. to a faulty field.
      if (document.activeElement !== document.body) return
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    },
  }
}
