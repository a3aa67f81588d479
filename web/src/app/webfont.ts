// Loads the web font after the first page is shown; until then, and if loading fails, system fonts are used. Visitors who have it in
// their cache get it at once.
import { isTrue, localItem } from '../lib/storage'

const had = localItem('jangbu.letters', isTrue)
/** Maximum wait for idle time. */
const PATIENCE_MS = 2000

function fetchNow(): void {
  import('../ui/webfont')
    .then(({ addWebfont }) => addWebfont())
    .then(() => had.keep(true))
    // keep system fonts
    .catch(() => undefined)
}

function fetchWhenIdle(): void {
  if ('requestIdleCallback' in window) requestIdleCallback(fetchNow, { timeout: PATIENCE_MS })
  else setTimeout(fetchNow, PATIENCE_MS / 10)
}

/** Before the first render: loads the font if it was loaded on an earlier visit. */
export function loadCachedWebfont(): void {
  if (had.read()) fetchNow()
}

/** After the first page is shown. */
export function loadWebfont(): void {
  if (had.read()) return
  if (document.readyState === 'complete') fetchWhenIdle()
  else window.addEventListener('load', fetchWhenIdle, { once: true })
}
