// Where the app starts in the browser.
import './ui/tokens.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { queryClient } from './api/queryClient'
import { refreshOnBfcacheRestore } from './app/bfcache'
import { makeRouter } from './app/router'
import { applyTheme } from './app/theme'
import { loadCachedWebfont } from './app/webfont'
import { takeCurrencyFromPage } from './features/settings/api'

applyTheme()
takeCurrencyFromPage()
loadCachedWebfont()
refreshOnBfcacheRestore(queryClient)
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

/** As long as the page's code may take before one sees that it is still to come. */
const PATIENCE_MS = 200

const router = makeRouter()
const shown = createRoot(root)
/** Draws once, whichever comes first: the page's code or the end of patience. */
const draw = () => {
  clearTimeout(late)
  // The router's next listener is the page itself (app/currentAddress.ts).
  stopListening()
  shown.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
/** In small steps: whoever taps or scrolls meanwhile is not kept waiting. */
const drawCalmly = () => startTransition(draw)
const late = setTimeout(draw, PATIENCE_MS)
const stopListening = router.subscribe(({ initialized }) => {
  if (initialized) drawCalmly()
})
if (router.state.initialized) drawCalmly()
