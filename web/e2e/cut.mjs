// Text that is cut without a sign of it (no ellipsis, no scrolling, no expanding), and dates in two lines. Runs in the page.

/** Reports each piece of text on the page of which letters are hidden. */
export function cutText() {
  /** A rounded line box is up to this much higher than its text area. */
  const SLACK = 2

  /** Hidden on purpose, for screen readers, or with a sign that there is more. */
  const isMeant = (box, style) =>
    box.closest('.sr-only,[aria-hidden="true"],[inert]') !== null ||
    style.textOverflow === 'ellipsis' ||
    style.webkitLineClamp !== 'none' ||
    style.maskImage !== 'none' ||
    box.getBoundingClientRect().width <= 1

  const clips = (value) => value === 'hidden' || value === 'clip'

  /** The part of the text that an ancestor hides, if any. */
  function cutBy(words, rect) {
    for (let box = words.parentElement; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box)
      if (style.display === 'inline' || style.display === 'contents') continue
      const own = box.getBoundingClientRect()
      // What scrolls can be brought into view.
      const [x, y] = [style.overflowX, style.overflowY]
      if (/auto|scroll/.test(x) || /auto|scroll/.test(y)) return undefined
      const isWide = clips(x) && (rect.right > own.right + SLACK || rect.left < own.left - SLACK)
      const isHigh = clips(y) && (rect.bottom > own.bottom + SLACK + 2 || rect.top < own.top - SLACK - 2)
      if (isWide || isHigh) return isMeant(box, style) ? undefined : box
      if (isMeant(box, style)) return undefined
      if (style.position === 'fixed') return undefined
    }
    return undefined
  }

  const found = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let words = walker.nextNode(); words; words = walker.nextNode()) {
    if (
      words.data.trim() === '' ||
      !words.parentElement.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
      continue
    if (words.parentElement.closest('script,style,noscript,option,svg')) continue
    const range = document.createRange()
    range.selectNodeContents(words)
    for (const rect of range.getClientRects()) {
      if (rect.width === 0 || !cutBy(words, rect)) continue
      found.add(`cut text: ${words.data.trim().slice(0, 60)}`)
    }
  }
  const pen = document.createElement('canvas').getContext('2d')
  for (const input of document.querySelectorAll('input[placeholder]')) {
    if (!input.checkVisibility({ visibilityProperty: true }) || input.closest('.sr-only,[aria-hidden="true"],[inert]'))
      continue
    const style = getComputedStyle(input)
    pen.font = style.font
    const room = input.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
    if (pen.measureText(input.placeholder).width > room + SLACK) found.add(`cut placeholder: ${input.placeholder}`)
  }
  return [...found]
}

/** Reports dates in tables of which the time stands below the day, on a screen wide enough for one line. */
export function foldedDates() {
  if (window.innerWidth < 1440) return []
  return [...document.querySelectorAll('td time')]
    .filter((time) => time.checkVisibility())
    .filter((time) => new Set([...time.children].map((part) => part.getBoundingClientRect().top)).size > 1)
    .map((time) => `folded date: ${time.textContent}`)
}
