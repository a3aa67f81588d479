// A double click on a button sends its command once, however fast the server answers.
import type { MouseEvent, MouseEventHandler } from 'react'

/** `onClick={once(() => remove(row))}`: the second press of a double one does nothing, nor does it submit a form. */
export const once =
  <E extends Element>(act?: MouseEventHandler<E>): MouseEventHandler<E> =>
  (event: MouseEvent<E>) =>
    event.detail > 1 ? event.preventDefault() : act?.(event)
