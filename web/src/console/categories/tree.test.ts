// @vitest-environment node
// The place of a dropped category.
import { describe, expect, it } from 'vitest'
import { type Branch, dropped, isTooDeep, neighbouring, nthAt, pathOf } from './tree'

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

describe('a dropped category', () => {
  it('is placed before, after or inside another', () => {
    expect(dropped(tree, d, a, 'before')).toEqual({ parent: '', before: 'a' })
    expect(dropped(tree, a, d, 'after')).toEqual({ parent: '', before: '' })
    expect(dropped(tree, c, a, 'inside')).toEqual({ parent: 'a', before: '' })
    expect(dropped(tree, c, b, 'after')).toEqual({ parent: 'a', before: '' })
    expect(dropped(tree, c, b, 'before')).toEqual({ parent: 'a', before: 'b' })
    expect(dropped(tree, d.children[0] as Branch, a, 'after')).toEqual({ parent: '', before: 'd' })
  })
  it('is refused under itself, too deep, or at its own place', () => {
    expect(dropped(tree, a, c, 'inside')).toBeUndefined()
    expect(dropped(tree, a, b, 'after')).toBeUndefined()
    // d has a level below it: inside b it would be four levels.
    expect(dropped(tree, d, b, 'inside')).toBeUndefined()
    expect(isTooDeep(tree, d, b, 'inside')).toBe(true)
    expect(isTooDeep(tree, d, b, 'after')).toBe(false)
    expect(isTooDeep(tree, a, c, 'inside')).toBe(false)
    expect(dropped(tree, a, a, 'before')).toBeUndefined()
    expect(dropped(tree, a, d, 'before')).toBeUndefined()
    expect(dropped(tree, d, a, 'after')).toBeUndefined()
  })
})

it('a category moves up and down among its siblings, and its place is known', () => {
  expect(neighbouring(tree, d, -1)).toEqual({ parent: '', before: 'a' })
  expect(neighbouring(tree, a, 1)).toEqual({ parent: '', before: '' })
  expect(neighbouring(tree, a, -1)).toBeUndefined()
  expect(neighbouring(tree, d, 1)).toBeUndefined()
  expect(nthAt(tree, d, { parent: '', before: 'a' })).toBe(1)
  expect(nthAt(tree, c, { parent: 'a', before: '' })).toBe(2)
  expect(pathOf(tree, 'c')).toBe('a › b › c')
})
