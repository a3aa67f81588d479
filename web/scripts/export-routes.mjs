// Writes the route table as routes.json, for the server (titles, redirects, which addresses exist) and for the route tests.
import { writeFileSync } from 'node:fs'
import { runnerImport } from 'vite'

const { module } = await runnerImport(new URL('../src/app/routes.ts', import.meta.url).pathname)
const rows = module.routes.map(({ path, title, login, scope, userTypes, redirect, noindex }) => ({
  path,
  title,
  guard: { login: login ?? false, scope: scope ?? [], userTypes: userTypes ?? [] },
  redirect: redirect ?? null,
  index: noindex !== true && !login && !scope,
}))
writeFileSync(new URL('../routes.json', import.meta.url), `${JSON.stringify(rows, null, 2)}\n`)
