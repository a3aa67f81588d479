// How the web app is served while writing it, built, and tested.
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { keepOldFiles } from './scripts/keep-old-files.ts'
import { leanRouter } from './scripts/lean-router.ts'
import { pack } from './scripts/pack.ts'
import { resourceSchemas } from './scripts/resource-schemas.ts'
import { webfont } from './scripts/webfont.ts'

/** Where `jangbu serve` listens while one writes pages. */
const backend = process.env.JANGBU_URL ?? 'http://127.0.0.1:4000'

/** What most pages of the shop share. */
const CARD =
  /\/src\/(features\/(products|categories\/CategoryTabs|categories\/pathTo|content\/api|orders\/fares)\/?.*|ui\/(Breadcrumbs|Checkbox|FilterGroup|Pagination|ScrollRow|Section))\.tsx?$/

/** What people search for, beside the search box and below it. */
const TERMS = /\/src\/(features\/search|ui\/(RankDelta|RotatingText)\.tsx)/

/** Its `exports` name the development build alone, warnings and all. */
const ROUTER = {
  find: /^react-router$/,
  replacement: fileURLToPath(new URL('node_modules/react-router/dist/production/index.mjs', import.meta.url)),
}

export default defineConfig(({ command, mode }) => ({
  resolve: { alias: command === 'build' && mode === 'production' ? [ROUTER] : [] },
  plugins: [react(), tailwindcss(), webfont(), leanRouter(), resourceSchemas(), keepOldFiles('dist'), pack('dist')],
  // The program draws the smaller pictures.
  server: { proxy: { '/api': backend, '/files': backend, '^/pictures/.*-(200|400|800|1600)\\.webp$': backend } },
  // No inlined fonts or pictures: the server's content policy allows only files of its own origin.
  build: {
    manifest: true,
    assetsInlineLimit: 0,
    emptyOutDir: false,
    // Every browser of the last years knows it; to an older one the files come a little later.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Compressing takes longer than bundling, as it should.
      checks: { bundlerTimings: false },
      output: {
        // The first load names all of the others: as short as they may be.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            // What every page begins with is one file; each file of its own costs a phone a round trip.
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
    // e2e/ has a runner of its own.
    include: ['{src,scripts}/**/*.test.{ts,tsx}'],
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://shop.test/' } },
    setupFiles: ['src/testing/setup.ts'],
    // a limit for what hangs, on a machine that builds meanwhile too
    testTimeout: 60_000,
    css: false,
  },
}))
