// Development server, build and tests of the web app.
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { keepOldFiles } from './scripts/keep-old-files.ts'
import { leanRouter } from './scripts/lean-router.ts'
import { pack } from './scripts/pack.ts'
import { resourceSchemas } from './scripts/resource-schemas.ts'
import { webfont } from './scripts/webfont.ts'

/** Address of `jangbu serve` during development. */
const backend = process.env.JANGBU_URL ?? 'http://127.0.0.1:4000'

/** Shared by most pages of the shop. */
const CARD =
  /\/src\/(features\/(products|categories\/CategoryTabs|categories\/pathTo|content\/api|orders\/fares)\/?.*|ui\/(Breadcrumbs|Checkbox|FilterGroup|Pagination|ScrollRow|Section))\.tsx?$/

/** Search trends, beside the search box and below it. */
const TERMS = /\/src\/(features\/search|ui\/(RankDelta|RotatingText)\.tsx)/

/** Its `exports` lists only the development build, including warnings. */
const ROUTER = {
  find: /^react-router$/,
  replacement: fileURLToPath(new URL('node_modules/react-router/dist/production/index.mjs', import.meta.url)),
}

export default defineConfig(({ command, mode }) => ({
  resolve: { alias: command === 'build' && mode === 'production' ? [ROUTER] : [] },
  plugins: [react(), tailwindcss(), webfont(), leanRouter(), resourceSchemas(), keepOldFiles('dist'), pack('dist')],
  // The server scales the smaller pictures.
  server: { proxy: { '/api': backend, '/files': backend, '^/pictures/.*-(200|400|800|1600)\\.webp$': backend } },
  // No inlined fonts or pictures: the server's content security policy allows only files of its own origin.
  build: {
    manifest: true,
    assetsInlineLimit: 0,
    emptyOutDir: false,
    // Supported by all recent browsers; older ones load the files a little later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Compressing takes longer than bundling, as expected.
      checks: { bundlerTimings: false },
      output: {
        // The first load contains the names of all other files, so they are short.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            // Modules needed by every page are one file; each separate file costs a phone a round trip.
            { name: 'first', tags: ['$initial'], priority: 1 },
            { name: 'icons', test: /lucide-react/, minShareCount: 3 },
            { name: 'form', test: /\/src\/ui\/(Dialog|Input)\.tsx$/ },
            // So are the small modules that many pages of the shop share.
            { name: 'card', test: CARD },
            { name: 'terms', test: TERMS },
          ],
        },
      },
    },
  },
  test: {
    // e2e/ has its own test runner.
    include: ['{src,scripts}/**/*.test.{ts,tsx}'],
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://shop.test/' } },
    setupFiles: ['src/testing/setup.ts'],
    // a timeout for hanging tests, also on a busy machine
    testTimeout: 60_000,
    css: false,
  },
}))
