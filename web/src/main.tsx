// Where the app starts in the browser.
import './ui/tokens.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { queryClient } from './api/query'
import { reloadOnMissingChunk } from './app/errors'
import { fetchKnownFonts } from './app/fonts'
import { renewWhenBack } from './app/kept'
import { makeRouter } from './app/router'
import { applyTheme } from './app/theme'

applyTheme()
fetchKnownFonts()
reloadOnMissingChunk()
renewWhenBack(queryClient)
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

/** As long as the page's code may take before one sees that it is still to come. */
const PATIENCE_MS = 200

const router = makeRouter()
const shown = createRoot(root)
const draw = () =>
  shown.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )

const ready = new Promise<boolean>((resolve) => {
  const look = () => router.state.initialized && resolve(true)
  router.subscribe(look)
  look()
  setTimeout(() => resolve(router.state.initialized), PATIENCE_MS)
})
// The first page at once and whole, in steps that leave the device room for other things. Not so before it is there: the router would
// get ready between being drawn and being listened to, and nobody would hear of it.
void ready.then((whole) => (whole ? startTransition(draw) : draw()))
