// A layer with a form asks before it closes over unsaved input: a click outside, Escape or "back" must not discard input.
import { useCallback, useEffect, useRef } from 'react'
import { confirmDialog } from '../../ui/confirm'

type DirtyListener = (isDirty: boolean) => void

/** For the layer: pass `onDirty` to its form, and use `guardedClose` instead of `close`. */
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
