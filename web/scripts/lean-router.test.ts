// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withoutSideEffects } from './lean-router'

const PACKAGE = join(import.meta.dirname, '../node_modules/react-router/dist/production')

it('marks all components of the installed router as free of side effects', () => {
  const modules = readdirSync(PACKAGE).filter((name) => name.startsWith('chunk-'))
  const code = modules.map((name) => readFileSync(join(PACKAGE, name), 'utf8')).join('\n')
  expect(code).toContain('Form.displayName = ')
  const lean = withoutSideEffects(code)
  expect(lean).not.toMatch(/^\w+\.displayName = /m)
  expect(lean).not.toMatch(/^var \w+ = React\d*\.(createContext|forwardRef|memo)\(/m)
  expect(lean).toContain('var Link = /* @__PURE__ */ React')
  expect(lean.split('\n')).toHaveLength(code.split('\n').length)
})
