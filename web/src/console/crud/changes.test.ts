// How a history shows a change.
import { expect, it } from 'vitest'
import { schemaOf } from '../../testing/schemas'
import { changesOf } from './changes'

const fields = schemaOf('product').fields
const told = (from: Record<string, unknown>, to: Record<string, unknown>) =>
  changesOf(
    Object.fromEntries(Object.keys({ ...from, ...to }).map((key) => [key, { from: from[key], to: to[key] }])),
    fields,
  ).map(({ label, from: was, to: is }) => [label, was, is])

const red = { _id: 'o1', name: '색상', value: '빨강', price: 0, enabled: true }
const blue = { _id: 'o2', name: '색상', value: '파랑', price: 0, enabled: true }

it("uses the form's labels, also for nested fields and those without a field of their own", () => {
  expect(told({ name: '가', seo: { title: '나', meta: {} } }, { name: '다', seo: { title: '라', meta: {} } })).toEqual([
    ['상품명', '가', '다'],
    ['메타 제목', '나', '라'],
  ])
})

it('shows the changes of a list item by item', () => {
  expect(told({ options: [red, blue] }, { options: [{ ...red, value: '진빨강', price: 500 }, blue] })).toEqual([
    ['옵션 1번 옵션값', '빨강', '진빨강'],
    ['옵션 1번 추가 금액', 0, 500],
  ])
  expect(told({ options: [red] }, { options: [red, blue] })).toEqual([['옵션 2번', undefined, blue]])
  expect(told({ options: [red, blue] }, { options: [blue] })).toEqual([['옵션 1번', red, undefined]])
  expect(told({ options: [red, blue] }, { options: [blue, red] })).toEqual([['옵션', undefined, '순서가 바뀜']])
  expect(told({ options: null as never }, { options: [red] })).toEqual([['옵션 1번', undefined, red]])
})

it('shows a picture and a point as one value, and a new object field by field', () => {
  const [old, fresh] = [
    { url: '/a.webp', alt: '앞' },
    { url: '/b.webp', alt: '앞' },
  ]
  expect(told({ thumb: old }, { thumb: fresh })).toEqual([['대표 이미지', old, fresh]])
  const point = { latitude: 37.5, longitude: 127 }
  const place = { geolocation: { from: point, to: { ...point, latitude: 38 } } }
  expect(changesOf(place, schemaOf('store').fields).map(({ label }) => label)).toEqual(['위치'])
  expect(told({ discount: null as never }, { discount: { unit: 'PERCENT', value: 10 } })).toEqual([
    ['할인 방식', undefined, 'PERCENT'],
    ['할인 값', '-', '10%'],
  ])
})

it('formats money where another field defines the unit', () => {
  const fixed = { unit: 'AMOUNT', value: 129_000 }
  expect(told({ discount: { unit: 'PERCENT', value: 10 } } as never, { discount: fixed } as never)).toEqual([
    ['할인 방식', 'PERCENT', 'AMOUNT'],
    ['할인 값', '10%', '$1,290.00'],
  ])
  // Unchanged fields are in the document after the change.
  const change = { value: { from: 500, to: 700 } }
  const [row] = changesOf(change, schemaOf('coupon').fields, { unit: 'AMOUNT' })
  expect([row?.from, row?.to]).toEqual(['$5.00', '$7.00'])
})

it('shows nothing when empty values stay empty', () => {
  expect(told({ options: null, categories: [], desc: '' } as never, { options: [], desc: null } as never)).toEqual([])
})

it('shows removed and added pictures', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ url: `/${name}.webp`, alt: null }))
  expect(told({ images: [a, b] }, { images: [b, c] } as never)).toEqual([['추가 이미지', [a], [c]]])
})

it('shows removed and added references', () => {
  expect(told({ categories: ['a', 'b'] }, { categories: ['b', 'c'] })).toEqual([['카테고리', ['a'], ['c']]])
  expect(told({ categories: ['a', 'b'] }, { categories: ['b', 'a'] })).toEqual([['카테고리', ['a', 'b'], ['b', 'a']]])
})
