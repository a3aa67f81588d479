// The first focusable element: skips the menus.
import { ko } from '../../i18n/ko'

/** Pages put `id="content"` on their `<main>`. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="sr-only z-70 rounded-md bg-ink px-4 py-3 font-semibold text-on-ink focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
    >
      {ko.action.skip}
    </a>
  )
}
