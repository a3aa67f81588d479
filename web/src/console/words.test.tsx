// Texts for staff use business terms, not technical ones; units are named as in the specification; a reversed period
// is reported once, at its field.
import { fireEvent, screen } from '@testing-library/react'
import ts from 'typescript'
import { expect, it, vi } from 'vitest'
import { renderPage } from '../testing/render'
import { schemaOf, schemas } from '../testing/schemas'
import { valuesOf } from './crud/schema'
import { ledgerWords } from './ledgers/words'
import { DayInputs } from './Period'
import { words } from './words'

/** Every text, including those built by functions. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') {
    try {
      return textsOf((value as (...given: unknown[]) => unknown)('이름', 750, 3))
    } catch {
      return []
    }
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

const modules = import.meta.glob('./**/*[wW]ords.ts', { eager: true })

const MACHINE = /1\/100|명령|위치 \d|기록 위치|커맨드|스트림/

it('contains no technical terms', () => {
  const texts = textsOf([Object.values(modules), schemas.map(({ title, fields }) => [title, fields])])
  expect(Object.keys(modules).length).toBeGreaterThan(15)
  expect(texts.length).toBeGreaterThan(500)
  expect(texts.filter((text) => MACHINE.test(text))).toEqual([])
})

const sources: Record<string, string> = import.meta.glob('../**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Korean texts in a source file, with interpolated values as a number; without comments. */
function textsIn(file: string, source: string): string[] {
  const found: string[] = []
  const within = (children: readonly ts.JsxChild[]) =>
    children
      .map((child) => (ts.isJsxText(child) ? child.text : ts.isJsxExpression(child) && child.expression ? '750' : ''))
      .join('')
  const read = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text)
    if (ts.isTemplateExpression(node))
      found.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('750'))
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) found.push(within(node.children))
    ts.forEachChild(node, read)
  }
  read(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX))
  return found.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => /[가-힣]/.test(text))
}

it('finds texts in code, in templates, and between tags', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source with a template
  const page = "/* 위치 1 */ const a = '가'; const b = `위치 ${a}`; const c = <p title='다'>기록 {a}번째 <b>끝</b></p>"
  expect(textsIn('page.tsx', page)).toEqual(['가', '위치 750', '기록 750번째', '다', '끝'])
})

it('contains none in texts written in its pages either', () => {
  const korean = Object.entries(sources).filter(
    ([file, text]) => !/\.test\.|\.gen\./.test(file) && /[가-힣]/.test(text),
  )
  const texts = korean.flatMap(([file, source]) => textsIn(file, source).map((text) => `${file}: ${text}`))
  expect(korean.filter(([file]) => file.endsWith('.tsx')).length).toBeGreaterThan(100)
  expect(texts.length).toBeGreaterThan(2000)
  expect(texts.filter((text) => MACHINE.test(text))).toEqual([])
})

it.each([
  ['coupon', 'unit'],
  ['product', 'discount.unit'],
  ['level', 'discount.unit'],
])('names the unit of a fixed amount won (V265): %s', (kind, field) => {
  expect(valuesOf(schemaOf(kind), field)).toEqual([
    { value: 'AMOUNT', label: '원' },
    { value: 'PERCENT', label: '%' },
  ])
  expect(ledgerWords.values.AMOUNT).toBe('원')
})

it('shows a reversed period once, at the changed day, and sends no request', () => {
  const onDay = vi.fn()
  renderPage(<DayInputs from="2026-03-10" to="2026-03-20" onDay={onDay} />)
  const last = screen.getByLabelText<HTMLInputElement>('종료일')
  fireEvent.change(last, { target: { value: '2026-03-01' } })
  expect(screen.getAllByRole('alert').map((one) => one.textContent)).toEqual([words.period.reversed])
  expect(last.getAttribute('aria-invalid')).toBe('true')
  expect(last.value).toBe('2026-03-01')
  expect(onDay).not.toHaveBeenCalled()
  fireEvent.change(screen.getByLabelText('시작일'), { target: { value: '2026-02-01' } })
  expect(screen.queryByRole('alert')).toBeNull()
  expect(onDay).toHaveBeenCalledExactlyOnceWith({ from: '2026-02-01', to: '2026-03-01' })
})

it('keeps a day that is typed faster than the address follows', () => {
  const onDay = vi.fn()
  renderPage(<DayInputs from="2026-03-10" to="" onDay={onDay} />)
  const [first, last] = ['시작일', '종료일'].map((label) => screen.getByLabelText<HTMLInputElement>(label))
  if (!first || !last) throw new Error('two inputs')
  fireEvent.focus(first)
  // What a browser reports while "2026" is typed into the year.
  for (const year of ['0002', '0020', '0202']) {
    fireEvent.change(first, { target: { value: `${year}-03-01` } })
    expect(first.value).toBe(`${year}-03-01`)
  }
  expect(onDay).not.toHaveBeenCalled()
  fireEvent.change(first, { target: { value: '2026-03-01' } })
  fireEvent.blur(first, { relatedTarget: last })
  fireEvent.focus(last)
  fireEvent.change(last, { target: { value: '2026-03-20' } })
  expect(onDay.mock.calls).toEqual([[{ from: '2026-03-01', to: '' }], [{ from: '2026-03-01', to: '2026-03-20' }]])
})

it('names an incomplete day when its input is left', () => {
  const onDay = vi.fn()
  renderPage(<DayInputs from="" to="2026-03-20" onDay={onDay} />)
  const first = screen.getByLabelText('시작일')
  fireEvent.focus(first)
  fireEvent.change(first, { target: { value: '0202-03-01' } })
  expect(screen.queryByRole('alert')).toBeNull()
  fireEvent.blur(first)
  expect(screen.getByRole('alert').textContent).toBe(words.period.partial)
  expect(onDay).not.toHaveBeenCalled()
})
