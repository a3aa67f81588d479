// Where the app starts in the browser.
import './ui/tokens.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
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
// Not in a transition: the router would get ready between being drawn and being listened to, and nobody would hear of it.
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={makeRouter()} />
    </QueryClientProvider>
  </StrictMode>,
)
