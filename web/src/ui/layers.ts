// Layers over the page (dialogs, sheets, menus, photos) and the browser's history. Each open layer has its own history entry above
// the page's, so that "back" closes the top layer and keeps the page with all input and selections (decision 39).
//
// The entries carry the page's own router state and their number as `layer`. The router does not see navigation between them. Two
// invariants hold whenever the router is idle: as many entries as open layers, and none beneath another page.
import { useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { router, watchHistory } from '../lib/router'

type Layer = { close: () => void }

/** Bottom first. */
const layers: Layer[] = []
/** Entries of layers between the page's own and the current one. */
let depth = 0
/** The router's key of the page's entry. */
let page: string | undefined
/** Our own pending `history.go` back, with the calls that wait for it. */
let retreating: { timer: ReturnType<typeof setTimeout>; after: (() => void)[] } | undefined
let settling: ReturnType<typeof setTimeout> | undefined
let waiting: (() => void)[] = []

/** A browser may drop `history.go`: waiting ends after this time. If it arrived later, it would leave the page opened meanwhile. */
const ARRIVES_WITHIN_MS = 5000
/** The router's key of an entry without a state. */
const FIRST_KEY = 'default'

type Write = typeof history.pushState
const push: Write = history.pushState.bind(history)
const replace: Write = history.replaceState.bind(history)
let isFollowing = false
let followed: ReturnType<typeof router>

/** Reads the current history position. */
function look(): void {
  depth = history.state?.layer ?? 0
  page = history.state?.key
}

/** Whether the router is navigating to another page, or returning from a navigation that a confirmation blocked. */
function isMoving(): boolean {
  const state = router()?.state
  if (!state) return false
  return state.navigation.state !== 'idle' || state.location.key !== (history.state?.key ?? FIRST_KEY)
}

/** Makes the entries match the open layers. Closing and opening, or closing and navigating, within one event needs no way back. */
function settle(): void {
  if (retreating || isMoving()) return
  for (; depth < layers.length; depth += 1) push({ ...history.state, layer: depth + 1 }, '')
  if (depth > layers.length) {
    retreat(depth - layers.length)
    return
  }
  const settled = waiting
  waiting = []
  for (const go of settled) go()
}

function settleSoon(): void {
  clearTimeout(settling)
  settling = setTimeout(settle, 0)
}

function retreat(by: number, ...after: (() => void)[]): void {
  retreating = { timer: setTimeout(arrive, ARRIVES_WITHIN_MS), after }
  history.go(-by)
}

function arrive(): void {
  const { timer, after } = retreating ?? { after: [] }
  clearTimeout(timer)
  retreating = undefined
  look()
  for (const go of after) go()
  settleSoon()
}

function onPop(event: PopStateEvent): void {
  if (retreating) {
    event.stopImmediatePropagation()
    arrive()
    return
  }
  const [before, left] = [depth, page]
  look()
  settleSoon()
  const isWithin = page === left && (before > 0 || depth > 0)
  if (isWithin) event.stopImmediatePropagation()
  for (const layer of layers.slice(isWithin ? depth : 0).reverse()) layer.close()
}

/** The next page replaces the top layer's entry: from there, "back" leads to the page. */
const pushPage: Write = (...args) => {
  const write = () => {
    ;(depth > 0 ? replace : push)(...args)
    look()
  }
  if (retreating) retreating.after.push(write)
  else write()
}

/** Replacing the page replaces the page's own entry, not a layer's. */
const replacePage: Write = (...args) => {
  const write = () => {
    replace(...args)
    look()
  }
  if (retreating) retreating.after.push(write)
  else if (depth > 0) retreat(depth, write)
  else write()
}

/** Follows the history, and the router, which writes it only by these two functions. */
function follow(): void {
  const current = router()
  if (current !== followed) current?.subscribe(settleSoon)
  followed = current
  if (isFollowing) return
  isFollowing = true
  history.pushState = pushPage
  history.replaceState = replacePage
  look()
  watchHistory(onPop)
}

function enter(layer: Layer): () => void {
  follow()
  layers.push(layer)
  settleSoon()
  return () => {
    layers.splice(layers.indexOf(layer), 1)
    settleSoon()
  }
}

/** Resolves when the entries of closed layers are removed: call it before navigating the history manually. */
export function layersSettled(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    settleSoon()
  })
}

/** Maximum delay of the second click of a double click. */
const DOUBLE_MS = 500

/** The second click of a double click that closed a layer would hit the content below. */
function dropSecondPress(): void {
  const closed = performance.now()
  const drop = (event: MouseEvent) => {
    // `timeStamp` is the time of the click, not of its handling by a busy page.
    if (event.detail < 2 || event.timeStamp - closed > DOUBLE_MS) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('click', drop, { capture: true, once: true })
}

/** For any dismissable layer over the page: "back" closes it, the top one first. */
export function useDismissableLayer(open: boolean, close: () => void): void {
  const onBack = useEffectEvent(close)
  useEffect(() => (open ? enter({ close: () => onBack() }) : undefined), [open])
  // Layout effect: the click may already be queued when the layer is removed.
  useLayoutEffect(() => (open ? dropSecondPress : undefined), [open])
}
