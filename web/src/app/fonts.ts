// The shop's letters come once the page stands: until then, and where they do not come, the device's own do. Who has had them before
// has them at once.

const KEY = 'jangbu.letters'

function fetchNow(): void {
  void import('../ui/fonts.css').then(() => localStorage.setItem(KEY, '1'))
}

/** Called once, as the app starts. */
export function fetchFonts(): void {
  if (localStorage.getItem(KEY) || document.readyState === 'complete') fetchNow()
  else window.addEventListener('load', fetchNow, { once: true })
}
