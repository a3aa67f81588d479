// Tap targets are at least 24 px wide and high, or have that much space around them (WCAG 2.5.8). Runs in the page.

/** Reports each tap target on the page that is too small. */
export function smallTargets() {
  const LEAST = 24
  const TARGETS =
    'a[href],button,input:not([type="hidden"]),select,textarea,summary,[role="button"],[role="checkbox"],[role="combobox"],[role="link"],[role="option"],[role="radio"],[role="slider"],[role="switch"],[role="tab"],[tabindex="0"]'

  /** The box that reacts to a click on the target, including its label, if any. */
  const boxOf = (target) => {
    const parts = [target, ...(target.labels ?? [])].flatMap((one) => [...one.getClientRects()])
    // Pseudo-elements that extend the clickable area beyond the edges.
    for (const pseudo of ['::before', '::after']) {
      const style = getComputedStyle(target, pseudo)
      if (style.content === 'none' || style.position !== 'absolute') continue
      const own = target.getBoundingClientRect()
      const [top, right, bottom, left] = ['top', 'right', 'bottom', 'left'].map((side) =>
        Number.parseFloat(style[side]),
      )
      if ([top, right, bottom, left].every(Number.isFinite))
        parts.push(new DOMRect(own.x + left, own.y + top, own.width - left - right, own.height - top - bottom))
    }
    const seen = parts.filter(({ width, height }) => width > 1 && height > 1)
    if (seen.length === 0) return undefined
    const left = Math.min(...seen.map((one) => one.left))
    const top = Math.min(...seen.map((one) => one.top))
    const right = Math.max(...seen.map((one) => one.right))
    const bottom = Math.max(...seen.map((one) => one.bottom))
    return { left, top, width: right - left, height: bottom - top, x: (left + right) / 2, y: (top + bottom) / 2 }
  }

  const isInline = (node) => node instanceof Text || getComputedStyle(node).display.startsWith('inline')

  /** Whether its height is the line height alone: text without padding, border or minimum height, whatever the element. */
  const isWords = (target) => {
    const style = getComputedStyle(target)
    if (style.display === 'inline') return target.textContent.trim() !== ''
    if (style.display !== 'inline-block' || target.textContent.trim() === '') return false
    const box = ['paddingTop', 'paddingBottom', 'borderTopWidth', 'borderBottomWidth', 'minHeight']
    const own = target.getBoundingClientRect().height - (Number.parseFloat(style.lineHeight) || 0)
    return box.every((side) => !(Number.parseFloat(style[side]) > 0)) && own < 1
  }

  /** The text of the line outside of targets. */
  const wordsOf = (node) => {
    if (node instanceof Text) return node.data
    if (!(node instanceof Element) || node.matches(TARGETS)) return ''
    return [...node.childNodes].map(wordsOf).join('')
  }

  /** A target within a sentence may be as high as its line (the rule's exception). One merely above or below text may not. */
  const isInSentence = (target) => {
    if (!isWords(target)) return false
    let own = target
    while (own.parentElement && isInline(own.parentElement)) own = own.parentElement
    let text = wordsOf(own)
    for (const way of ['previousSibling', 'nextSibling']) {
      for (let node = own[way]; node; node = node[way]) {
        if (node instanceof Comment) continue
        if (node.localName === 'br' || !isInline(node)) break
        text += wordsOf(node)
      }
    }
    return /\p{L}/u.test(text)
  }

  /** A target that is covered, permanently off the screen or disabled is not reachable. */
  const isReached = (target) => {
    if (target.matches(':disabled,[aria-disabled="true"]') || target.closest('[inert],[aria-hidden="true"]'))
      return false
    if (!target.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
    target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const box = boxOf(target)
    const hit = box && document.elementFromPoint(box.x, box.y)
    if (!hit) return false
    const own = [target, ...(target.labels ?? [])]
    return own.some((one) => one.contains(hit) || hit.contains(one))
  }

  const all = [...document.querySelectorAll(TARGETS)].flatMap((target) => {
    const box = boxOf(target)
    return box ? [{ target, box, isSmall: box.width < LEAST - 0.01 || box.height < LEAST - 0.01 }] : []
  })
  const related = (a, b) => a.contains(b) || b.contains(a) || [...(a.labels ?? [])].some((label) => label.contains(b))
  /** No other target within a circle of 24 px around its centre, and no such circle of another small target overlaps. */
  const hasRoom = ({ target, box }) =>
    all.every((other) => {
      if (related(target, other.target) || related(other.target, target)) return true
      const dx = Math.max(other.box.left - box.x, 0, box.x - other.box.left - other.box.width)
      const dy = Math.max(other.box.top - box.y, 0, box.y - other.box.top - other.box.height)
      if (Math.hypot(dx, dy) < LEAST / 2 - 0.01) return !isReached(other.target)
      const between = Math.hypot(other.box.x - box.x, other.box.y - box.y)
      return !other.isSmall || between >= LEAST - 0.01 || !isReached(other.target)
    })

  const [x, y] = [window.scrollX, window.scrollY]
  const found = all
    .filter((one) => one.isSmall && !isInSentence(one.target) && !hasRoom(one) && isReached(one.target))
    .map(({ target, box }) => {
      const name = target.getAttribute('aria-label') ?? target.textContent.trim().slice(0, 30)
      const size = `${Math.round(box.width)}x${Math.round(box.height)}`
      return `${size} px to tap: <${target.localName}> ${name || target.outerHTML.slice(0, 120)}`
    })
  window.scrollTo(x, y)
  return [...new Set(found)]
}
