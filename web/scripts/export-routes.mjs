// Writes the route table to routes.json, for the server (titles, redirects, existing addresses, the chunk of each page) and for the
// route tests.
import { existsSync, writeFileSync } from 'node:fs'
import { runnerImport } from 'vite'

const load = async (path, plugins = []) =>
  (await runnerImport(new URL(path, import.meta.url).pathname, { plugins })).module
const { resourceSchemas } = await load('./resource-schemas.ts')
const { shopRoutes } = await load('../src/app/routes/shopRoutes.ts')
const { lateRoutes } = await load('../src/app/routes/lateRoutes.ts')
const { consoleRoutes } = await load('../src/app/routes/consoleRoutes.ts', [resourceSchemas()])
const web = new URL('../', import.meta.url)

/** The file of a page as named in the build's manifest: the module its route imports. */
function moduleOf(page) {
  const named = /\("([^"]+)"/.exec(page?.toString() ?? '')?.[1]
  if (!named) return null
  const file = named.replace(/^.*?\/src\//, 'src/')
  const found = [file, `${file}.tsx`, `${file}/index.tsx`].find(
    (name) => /\.tsx$/.test(name) && existsSync(new URL(name, web)),
  )
  if (!found) throw new Error(`no file of a page: ${named}`)
  return found
}

const rows = [...shopRoutes, ...lateRoutes, ...consoleRoutes].map(
  ({ path, title, login, scope, userTypes, redirect, noindex, page }) => ({
    path,
    title,
    guard: { login: login ?? false, scope: scope ?? [], userTypes: userTypes ?? [] },
    redirect: redirect ?? null,
    index: noindex !== true && !login && !scope,
    module: moduleOf(page),
  }),
)
writeFileSync(new URL('../routes.json', import.meta.url), `${JSON.stringify(rows, null, 2)}\n`)
