// @vitest-environment node
// Where a category goes when it is put down.
import { describe, expect, it } from 'vitest'
import { type Branch, dropped } from './tree'

const branch = (id: string, depth: number, children: Branch[] = []): Branch => ({
  _id: id,
  code: id,
  name: id,
  shows: true,
  visual: { url: null },
  index: 0,
  depth,
  children,
})
const c = branch('c', 3)
const b = branch('b', 2, [c])
const a = branch('a', 1, [b])
const d = branch('d', 1, [branch('e', 2)])
const tree = [a, d]

describe('a category put down', () => {
  it('stands before, after or inside another', () => {
    expect(dropped(tree, d, a, 'before')).toEqual({ parent: '', index: 0 })
    expect(dropped(tree, a, d, 'after')).toEqual({ parent: '', index: 1 })
    expect(dropped(tree, c, a, 'inside')).toEqual({ parent: 'a', index: 1 })
    expect(dropped(tree, c, b, 'after')).toEqual({ parent: 'a', index: 1 })
  })
  it('goes nowhere under itself, too deep, or where it is', () => {
    expect(dropped(tree, a, c, 'inside')).toBeUndefined()
    expect(dropped(tree, a, b, 'after')).toBeUndefined()
    // d has a level below it: inside b it would be four levels.
    expect(dropped(tree, d, b, 'inside')).toBeUndefined()
    expect(dropped(tree, a, a, 'before')).toBeUndefined()
    expect(dropped(tree, a, d, 'before')).toBeUndefined()
  })
})
