// The shop's letters come once the page stands: until then, and where they do not come, the device's own do. Who has had them before
// has them at once.
import { isTrue, localItem } from '../lib/storage'

const had = localItem('jangbu.letters', isTrue)
/** As long as a slow device may take to be done with the page. */
const PATIENCE_MS = 2000

function fetchNow(): void {
  import('../ui/webfont')
    .then(({ addWebfont }) => addWebfont())
    .then(() => had.keep(true))
    // where they do not come, the device's own stay
    .catch(() => undefined)
}

function fetchWhenIdle(): void {
  if ('requestIdleCallback' in window) requestIdleCallback(fetchNow, { timeout: PATIENCE_MS })
  else setTimeout(fetchNow, PATIENCE_MS / 10)
}

/** Called before there is a page: for who has the letters already. */
export function loadCachedWebfont(): void {
  if (had.read()) fetchNow()
}

/** Called when the first page stands. */
export function loadWebfont(): void {
  if (had.read()) return
  if (document.readyState === 'complete') fetchWhenIdle()
  else window.addEventListener('load', fetchWhenIdle, { once: true })
}
