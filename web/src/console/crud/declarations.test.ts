// @vitest-environment node
// A definition is only a declaration, and a screen creates no table and no form of its own: both are checked on the TypeScript
// syntax tree.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const CONSOLE = join(import.meta.dirname, '..')
const parsed = (text: string, name: string) => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
const files = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' }).filter((file) => !file.includes('.test.'))
const read = (file: string) => parsed(readFileSync(join(CONSOLE, file), 'utf8'), file)

/** Modules a definition may import. */
const MAY_IMPORT = /^(virtual:resource\/[\w-]+|\.\.\/crud\/(resourceDefinition|formState|sharedFields)|\.\/[\w-]+)$/
/** Calls a rule of a definition may not make: it only reads the given document. */
const DOES = /^(use[A-Z]|fetch$|call$|set(Timeout|Interval)$)/

function every(node: ts.Node, holds: (node: ts.Node) => boolean): boolean {
  return holds(node) && ts.forEachChild(node, (child) => !every(child, holds) || undefined) === undefined
}

/** A rule: one expression without assignments or calls with side effects. */
const isRule = (node: ts.ArrowFunction): boolean =>
  every(
    node.body,
    (one) =>
      !(ts.isBlock(one) || ts.isFunctionExpression(one) || ts.isAwaitExpression(one) || ts.isNewExpression(one)) &&
      !(ts.isBinaryExpression(one) && /^[^=!<>]*=$|^(<<|>>>?)=$/.test(one.operatorToken.getText())) &&
      !(ts.isCallExpression(one) && DOES.test(one.expression.getText())),
  )

/** A literal value, not a computed one. */
function isSaid(node: ts.Node): boolean {
  if (ts.isObjectLiteralExpression(node))
    return node.properties.every(
      (one) =>
        ts.isShorthandPropertyAssignment(one) ||
        (ts.isPropertyAssignment(one) && isSaid(one.initializer)) ||
        (ts.isSpreadAssignment(one) && isSaid(one.expression)),
    )
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isSaid)
  if (ts.isSpreadElement(node) || ts.isParenthesizedExpression(node) || ts.isAsExpression(node))
    return isSaid(node.expression)
  if (ts.isArrowFunction(node)) return isRule(node)
  if (ts.isTemplateExpression(node)) return node.templateSpans.every((span) => isSaid(span.expression))
  const words = [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword]
  return ts.isLiteralExpression(node) || ts.isIdentifier(node) || words.includes(node.kind)
}

/** Anything in a definition's file beyond a declaration. */
function strays(file: ts.SourceFile): string[] {
  const found: string[] = []
  let defines = false
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = (statement.moduleSpecifier as ts.StringLiteral).text
      if (!MAY_IMPORT.test(from)) found.push(`imports ${from}`)
    } else if (ts.isVariableStatement(statement) && statement.declarationList.flags & ts.NodeFlags.Const) {
      for (const { name, type, initializer } of statement.declarationList.declarations) {
        if (!initializer || !isSaid(initializer)) found.push(`makes ${name.getText()}`)
        const made = initializer && ts.isArrowFunction(initializer) ? initializer.type : type
        defines ||= made?.getText() === 'ResourceDef'
      }
    } else if (!(ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)))
      found.push(statement.getText().split('\n')[0] ?? '')
  }
  return defines ? found : [...found, 'defines nothing']
}

const KIT_ONLY = ['table', 'thead', 'tbody', 'tr', 'form', 'DataTable', 'ResourceForm']
const KIT_TOOLS = ['@tanstack/react-table', 'react-hook-form']

/** Tables and forms that a file creates itself, in whatever way. */
function own(file: ts.SourceFile): string[] {
  const found: string[] = []
  every(file, (node) => {
    if ((ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) && KIT_ONLY.includes(node.tagName.getText()))
      found.push(`<${node.tagName.getText()}>`)
    if (ts.isImportDeclaration(node)) {
      const from = (node.moduleSpecifier as ts.StringLiteral).text
      if (KIT_TOOLS.includes(from)) found.push(from)
    }
    const made = ts.isCallExpression(node) && /\b(createElement|jsxs?)$/.test(node.expression.getText())
    const tag = made ? node.arguments[0] : undefined
    if (tag && ts.isStringLiteral(tag) && KIT_ONLY.includes(tag.text)) found.push(`createElement ${tag.text}`)
    return true
  })
  return found
}

describe('a definition', () => {
  const definitions = files.filter((file) => file.endsWith('/resource.ts'))

  it.each(definitions)('%s is a declaration only', (file) => {
    // Without an x in its extension a file cannot contain JSX.
    expect(file).toMatch(/\.ts$/)
    expect(strays(read(file))).toEqual([])
  })

  it('that contains more is detected', () => {
    expect(definitions.length).toBeGreaterThan(10)
    const def = "export const a: ResourceDef = { kind: 'a', columns: [] }\n"
    const seen = (more: string) => strays(parsed(def + more, 'a.ts'))
    expect(
      seen("import type { ResourceDef } from '../crud/resourceDefinition'\nconst b = (n: number) => ({ n })"),
    ).toEqual([])
    expect(seen("import { call } from '../../api/client'")).toEqual(['imports ../../api/client'])
    expect(seen("import { useState } from 'react'")).toEqual(['imports react'])
    expect(seen('function Cell() {}')).toEqual(['function Cell() {}'])
    expect(seen('let n = 0')).toEqual(['let n = 0'])
    for (const made of [
      'b = (row: Row) => { return row }',
      'b = made({})',
      'b = { cell: function () {} }',
      'b = { cell() {} }',
      "b = [() => fetch('/x')]",
      'b = () => useState(0)',
      'b = (row: Row) => (row.name = 1)',
      'b = () => [1].map(() => { return 1 })',
      'b = { get name() { return 1 } }',
    ])
      expect(seen(`const ${made}`), made).toEqual(['makes b'])
    expect(strays(parsed('export const a = 1', 'a.ts'))).toEqual(['defines nothing'])
  })
})

describe('a screen', () => {
  /** Printed on paper, where the framework's tables have nothing to do. */
  const PRINTED = 'dispatch/Sheets.tsx'
  const screens = files.filter((file) => /\.tsx?$/.test(file) && !file.startsWith('crud/') && file !== PRINTED)

  it('creates no table and no form: the CRUD framework does', () => {
    expect(screens.length).toBeGreaterThan(50)
    expect(screens.map((file) => [file, ...own(read(file))]).filter(({ length }) => length > 1)).toEqual([])
  })

  it('that creates one is detected', () => {
    for (const [text, found] of [
      ['const A = () => <p><table className="x" /></p>', '<table>'],
      ['const A = () => <form onSubmit={x}>a</form>', '<form>'],
      ['const A = () => <DataTable<Row> rows={[]} />', '<DataTable>'],
      ["import { useReactTable } from '@tanstack/react-table'", '@tanstack/react-table'],
      ["import { useForm } from 'react-hook-form'", 'react-hook-form'],
      ["const A = () => React.createElement('table')", 'createElement table'],
    ])
      expect(own(parsed(text ?? '', 'a.tsx')), text).toEqual([found])
    expect(own(parsed('// no <table> here\nconst A = () => <p>{"<form>"}</p>', 'a.tsx'))).toEqual([])
  })
})
