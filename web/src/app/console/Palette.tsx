// The palette: any page of the console by its name, a new record, and orders, products, members and coupons by what is typed.
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Scope } from '../../api/session'
import { ComboboxList } from '../../ui/ComboboxList'
import { Dialog } from '../../ui/Dialog'
import { Input } from '../../ui/Input'
import { useCombobox } from '../../ui/useCombobox'
import { consolePages } from './menu'
import { type Goal, useFoundRecords } from './useFoundRecords'
import { paletteWords } from './words'

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

export default function Palette({ scopes, onClose }: { scopes: readonly Scope[]; onClose: () => void }) {
  const navigate = useNavigate()
  const [words, setWords] = useState('')
  const records = useFoundRecords(words, scopes)
  const goals = [...goalsFor(words, consolePages(scopes)), ...records.goals]
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
        empty={
          <p className="py-6 text-center text-ink-3">
            {records.isLoading ? paletteWords.searching : paletteWords.none}
          </p>
        }
        className="mt-3 max-h-80 overflow-y-auto"
        optionClass="flex items-baseline justify-between gap-4 rounded-sm px-3 py-2.5"
      >
        {(goal) => (
          <>
            <span className="min-w-0 font-medium">{goal.title}</span>
            <span className="shrink-0 text-ink-3 text-sm">{goal.group}</span>
          </>
        )}
      </ComboboxList>
    </Dialog>
  )
}
