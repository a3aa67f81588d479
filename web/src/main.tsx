// The app's entry point.
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

/** Delay before a loading state is rendered while the page's code loads. */
const PATIENCE_MS = 200

const router = makeRouter()
const shown = createRoot(root)
/** Renders once: when the page's code is loaded, or after the delay. */
const draw = () => {
  clearTimeout(late)
  // The router's next subscriber has to be the page itself (app/currentPage.ts).
  stopListening()
  shown.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
/** As a transition, so that taps and scrolling stay responsive. */
const drawCalmly = () => startTransition(draw)
const late = setTimeout(draw, PATIENCE_MS)
const stopListening = router.subscribe(({ initialized }) => {
  if (initialized) drawCalmly()
})
if (router.state.initialized) drawCalmly()
