// Ctrl+K opens the palette. `?` lists all shortcuts.
import { type ReactNode, useEffect, useState } from 'react'
import { type Scope, useSession } from '../../api/session'
import { ko } from '../../i18n/ko'
import { Dialog } from '../../ui/Dialog'
import { isLetter, isTyping, pageKeys } from '../../ui/keys'
import { optional } from '../../ui/Optional'
import { toast } from '../../ui/toast'
import { paletteWords } from './words'

const loadPalette = () => import('./Palette')
const PREFETCH_DELAY_MS = 1000

const Palette = optional(loadPalette, {
  onFail: ({ onClose }) => {
    void toast(ko.state.network, { tone: 'error' })
    onClose()
  },
})

/** Whether an open layer has to be answered first. */
const isCovered = (): boolean => document.querySelector('[role="dialog"],[role="alertdialog"]') !== null

/** The global shortcuts, and those of the current page. */
function keysHere(): readonly (readonly string[])[] {
  const { palette, help, close, ...ofPages } = paletteWords.shortcuts
  const here = pageKeys()
  const named = Object.entries(ofPages) as [keyof typeof ofPages, readonly string[]][]
  return [palette, ...named.filter(([name]) => here[name]).map(([, said]) => said), help, close]
}

export function CommandPalette({ scopes }: { scopes: readonly Scope[] }) {
  const known = useSession((s) => s.payload !== undefined)
  const [open, setOpen] = useState<'palette' | 'keys'>()
  // What is typed right after the shortcut must not be lost.
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PREFETCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (!known) return
    const press = (event: KeyboardEvent) => {
      const covered = isCovered()
      if ((event.ctrlKey || event.metaKey) && isLetter(event, 'k')) {
        event.preventDefault()
        setOpen((now) => (now || covered ? undefined : 'palette'))
        return
      }
      // A row has handled the key, or it belongs to the browser.
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (covered || isTyping(event.target)) return
      if (event.key === '?') return setOpen('keys')
      const { search, move } = pageKeys()
      const act = event.key === '/' ? search : isLetter(event, 'j') || isLetter(event, 'k') ? move : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [known])
  const close = (next: boolean) => !next && setOpen(undefined)
  return (
    <>
      {open === 'palette' && <Palette scopes={scopes} onClose={() => setOpen(undefined)} />}
      {open === 'keys' && (
        <Dialog open onOpenChange={close} title={paletteWords.keys}>
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-3">
            {keysHere().map(([keys, what]) => (
              <div key={keys} className="contents">
                <dt>
                  <Key>{keys}</Key>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  )
}

const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded-xs border border-line-strong bg-sunken px-1.5 py-0.5 font-sans text-sm">{children}</kbd>
)
