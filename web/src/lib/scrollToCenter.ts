// Scrolls `box`, and no ancestor, until `item` is centred in it.
export function scrollToCenter(box: Element, item: Element): void {
  const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()]
  box.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2
  box.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2
}
