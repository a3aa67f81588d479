// A double click on a button sends its command once, however fast the response is.
import type { MouseEvent, MouseEventHandler } from 'react'

/** `onClick={once(() => remove(row))}`: the second click of a double click does nothing, nor does it submit a form. */
export const once =
  <E extends Element>(act?: MouseEventHandler<E>): MouseEventHandler<E> =>
  (event: MouseEvent<E>) =>
    event.detail > 1 ? event.preventDefault() : act?.(event)
