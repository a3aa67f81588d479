// Asking before a way out takes something with it that is not saved, or not done.
import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { confirmDialog } from '../../ui/confirm'
import { layersSettled } from '../../ui/layers'
import { recordWords } from './words'

/** Asks before the tab is closed or reloaded. */
export function useCloseWarning(on: boolean): void {
  useEffect(() => {
    if (!on) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [on])
}

/** Asks before any way out of the page takes unsaved changes with it. */
export function useLeaveWarning(unsaved: boolean): void {
  // Once confirmed it does not ask again while the next page is rendering.
  const leaving = useRef(false)
  const isBack = useRef(false)
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    isBack.current = historyAction === 'POP'
    return (
      unsaved &&
      !leaving.current &&
      currentLocation.pathname + currentLocation.search !== nextLocation.pathname + nextLocation.search
    )
  })
  useEffect(() => {
    if (blocker.state === 'unblocked') leaving.current = false
    if (blocker.state !== 'blocked') return
    void confirmDialog({ title: recordWords.leave }).then(async (yes) => {
      leaving.current = yes
      // At once: who stays may try the next way out before the question's entry is gone.
      if (!yes) return blocker.reset()
      // On a way back in the history the question's entry must not be counted; a way on takes its place.
      if (isBack.current) await layersSettled()
      blocker.proceed()
    })
  }, [blocker])
  useCloseWarning(unsaved)
}

/** The way out of a dialog: asks before it takes what was typed with it. */
export function useAskedClose(typed: boolean, onClose: () => void): () => Promise<void> {
  useCloseWarning(typed)
  return async () => {
    if (typed && !(await confirmDialog({ title: recordWords.leave }))) return
    onClose()
  }
}
