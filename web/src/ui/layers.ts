// Layers over the page (dialogs, sheets, menus, photos) and the browser's history. Each open layer has a history entry of its own above
// the page's, so that "back" closes the top layer and leaves the page with all that was typed and chosen in it (decision 39).
//
// The entries carry the page's own router state and their number as `layer`. The router never hears of moving between them. Two things
// hold whenever the router is idle: as many entries as open layers, and none beneath another page.
import { useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { router, watchHistory } from '../lib/router'

type Layer = { close: () => void }

/** Bottom first. */
const layers: Layer[] = []
/** Entries of layers between the page's own and the current one. */
let depth = 0
/** The router's key of the page's entry. */
let page: string | undefined
/** A way back that we asked for and that has not arrived yet, with what has to wait for it. */
let retreating: { timer: ReturnType<typeof setTimeout>; after: (() => void)[] } | undefined
let settling: ReturnType<typeof setTimeout> | undefined
let waiting: (() => void)[] = []

/** Where the browser drops a way back, nothing may wait for ever; one that came later would leave the page that was led to meanwhile. */
const ARRIVES_WITHIN_MS = 5000
/** The router's name of an entry without a state. */
const FIRST_KEY = 'default'

type Write = typeof history.pushState
const push: Write = history.pushState.bind(history)
const replace: Write = history.replaceState.bind(history)
let isFollowing = false
let followed: ReturnType<typeof router>

/** Reads where in the history the browser is now. */
function look(): void {
  depth = history.state?.layer ?? 0
  page = history.state?.key
}

/** The router is on its way to another page, or back from one that asked to be left with a question. */
function isMoving(): boolean {
  const state = router()?.state
  if (!state) return false
  return state.navigation.state !== 'idle' || state.location.key !== (history.state?.key ?? FIRST_KEY)
}

/** Makes the entries match the open layers. What closes and opens, or closes and leads on, within one event needs no way back. */
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

/** The next page takes the place of the top layer's entry: from there, "back" leads to the page. */
const pushPage: Write = (...args) => {
  const write = () => {
    ;(depth > 0 ? replace : push)(...args)
    look()
  }
  if (retreating) retreating.after.push(write)
  else write()
}

/** What replaces the page replaces the page's own entry, not a layer's. */
const replacePage: Write = (...args) => {
  const write = () => {
    replace(...args)
    look()
  }
  if (retreating) retreating.after.push(write)
  else if (depth > 0) retreat(depth, write)
  else write()
}

/** Follows the history, and the router, which writes it by these two functions and by no other way. */
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

/** Resolves when the entries of layers that have closed are gone: before the history is moved by hand. */
export function layersSettled(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    settleSoon()
  })
}

/** A second press comes within this time of the first. */
const DOUBLE_MS = 500

/** The press after the one that closed a layer would fall on what is there now. */
function dropSecondPress(): void {
  const closed = performance.now()
  const drop = (event: MouseEvent) => {
    // When it was pressed, not when a busy page hears of it.
    if (event.detail < 2 || event.timeStamp - closed > DOUBLE_MS) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('click', drop, { capture: true, once: true })
}

/** For everything that lies over the page and can be dismissed: "back" closes it, the top one first. */
export function useDismissableLayer(open: boolean, close: () => void): void {
  const onBack = useEffectEvent(close)
  useEffect(() => (open ? enter({ close: () => onBack() }) : undefined), [open])
  // At once: the press may be waiting already when the layer goes.
  useLayoutEffect(() => (open ? dropSecondPress : undefined), [open])
}
