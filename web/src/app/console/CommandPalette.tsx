// Ctrl+K: opens any page of the console by its name, a new record, or an order by its number. `?` lists all shortcuts.
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Scope, useSession } from '../../api/session'
import { ComboboxList } from '../../ui/ComboboxList'
import { Dialog } from '../../ui/Dialog'
import { Input } from '../../ui/Input'
import { isLetter, isTyping, pageKeys } from '../../ui/keys'
import { useCombobox } from '../../ui/useCombobox'
import { consolePages } from './menu'
import { paletteWords } from './words'

type Goal = { to: string; title: string; group: string }

/** Numbers of orders and purchases: `20261121-7KD2M9QX` and `…-1`. */
const ORDER_NO = /^(\d{8}-[0-9A-Z]{6,10})(-\d+)?$/i

/** Matches of a search, the best first. */
export function goalsFor(words: string, pages: readonly Goal[]): Goal[] {
  const sought = words.trim().toLowerCase()
  const [, orderNo] = ORDER_NO.exec(words.trim()) ?? []
  const order = orderNo
    ? [
        {
          to: `/console/shop/orders/${orderNo.toUpperCase()}`,
          title: paletteWords.order(orderNo.toUpperCase()),
          group: '',
        },
      ]
    : []
  const text = (goal: Goal) => `${goal.title} ${goal.group} ${goal.to}`.toLowerCase()
  const found = pages.filter((goal) => sought.split(/\s+/).every((word) => text(goal).includes(word)))
  const rank = (goal: Goal) => (goal.title.toLowerCase().startsWith(sought) ? 0 : 1)
  return [...order, ...found.sort((a, b) => rank(a) - rank(b))]
}

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

function Palette({ scopes, onClose }: { scopes: readonly Scope[]; onClose: () => void }) {
  const navigate = useNavigate()
  const [words, setWords] = useState('')
  const goals = goalsFor(words, consolePages(scopes))
  const combobox = useCombobox({
    keys: goals.map(({ to }) => to),
    open: true,
    autoSelect: true,
    onChoose: (index) => {
      const goal = goals[index]
      if (!goal) return
      onClose()
      void navigate(goal.to)
    },
  })
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={paletteWords.title} hideTitle>
      <Input
        {...combobox.inputProps}
        aria-label={paletteWords.title}
        autoFocus
        placeholder={paletteWords.hint}
        value={words}
        onChange={(event) => {
          setWords(event.target.value)
          combobox.reset()
        }}
      />
      <ComboboxList
        combobox={combobox}
        label={paletteWords.title}
        options={goals}
        keyOf={({ to }) => to}
        empty={<p className="py-6 text-center text-ink-3">{paletteWords.none}</p>}
        className="mt-3 max-h-80 overflow-y-auto"
        optionClass="flex items-baseline justify-between gap-4 rounded-sm px-3 py-2.5"
      >
        {(goal) => (
          <>
            <span className="font-medium">{goal.title}</span>
            <span className="text-ink-3 text-sm">{goal.group}</span>
          </>
        )}
      </ComboboxList>
    </Dialog>
  )
}
