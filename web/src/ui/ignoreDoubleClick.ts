// A double click on what sends a command sends it once, however fast the server answered the first press.
import type { MouseEvent, MouseEventHandler } from 'react'

/** `onClick={once(() => remove(row))}`: the second press of a double one does nothing, nor does it submit a form. */
export const once =
  <E extends Element>(act?: MouseEventHandler<E>): MouseEventHandler<E> =>
  (event: MouseEvent<E>) =>
    event.detail > 1 ? event.preventDefault() : act?.(event)
