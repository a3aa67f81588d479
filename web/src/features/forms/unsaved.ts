// Confirmation before unsaved changes or unfinished work are lost.
import { useCallback, useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { confirmDialog } from '../../ui/confirm'
import { layersSettled } from '../../ui/layers'

export const LEAVE_QUESTION = '저장하지 않은 내용이 있습니다. 나갈까요?'

/** Before the tab is closed or reloaded. */
export function useCloseWarning(on: boolean): void {
  useEffect(() => {
    if (!on) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [on])
}

/** Before any navigation away from the page. */
export function useLeaveWarning(unsaved: boolean): void {
  // After a confirmation it does not ask again while the next page is rendering.
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
    void confirmDialog({ title: LEAVE_QUESTION }).then(async (yes) => {
      leaving.current = yes
      // Immediately: the user may navigate again before the dialog's history entry is removed.
      if (!yes) return blocker.reset()
      // Going back must not count the dialog's history entry; a forward navigation replaces it.
      if (isBack.current) await layersSettled()
      blocker.proceed()
    })
  }, [blocker])
  useCloseWarning(unsaved)
}

/** Before a dialog with unsaved input is closed. */
export function useAskedClose(typed: boolean, onClose: () => void): () => Promise<void> {
  useCloseWarning(typed)
  return async () => {
    if (typed && !(await confirmDialog({ title: LEAVE_QUESTION }))) return
    onClose()
  }
}

type DirtyListener = (isDirty: boolean) => void

/** For a layer that asks before it closes over unsaved input (a click outside, Escape, "back"): pass `onDirty` to its form, and use `guardedClose` instead of `close`. */
export function useDiscardGuard(close: () => void): { onDirty: DirtyListener; guardedClose: () => void } {
  const isDirty = useRef(false)
  const onDirty = useCallback<DirtyListener>((now) => {
    isDirty.current = now
  }, [])
  const guardedClose = async () => {
    if (!isDirty.current || (await confirmDialog({ title: '입력한 내용이 저장되지 않습니다. 닫을까요?' }))) close()
  }
  return { onDirty, guardedClose: () => void guardedClose() }
}

/** For the form: reports unsaved input while it is mounted. */
export function useDirtyReport(isDirty: boolean, onDirty: DirtyListener | undefined): void {
  useEffect(() => {
    onDirty?.(isDirty)
    return () => onDirty?.(false)
  }, [isDirty, onDirty])
}
