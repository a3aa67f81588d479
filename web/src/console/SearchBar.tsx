// Searching a console list: words, and where it makes sense a period. The address is the state.
import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { ko } from '../i18n/ko'
import { MAX_DATE } from '../lib/validators'
import { Button } from '../ui/Button'
import { Chips } from '../ui/Choice'
import { Field } from '../ui/Field'
import { Input } from '../ui/Input'
import { daysAgo, type useListing } from './listing'
import { words } from './words'

const t = words.list
const PERIODS = [7, 30, 90]

type SearchBarProps = { listing: ReturnType<typeof useListing>; hint: string; period?: boolean; className?: string }

export function SearchBar({ listing, hint, period = false, className }: SearchBarProps) {
  const { search, from, to, set } = listing
  const [typed, setTyped] = useState(search)
  useEffect(() => setTyped(search), [search])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    set({ q: typed.trim() || undefined })
  }
  const quick = PERIODS.find((days) => to === '' && from === daysAgo(days - 1))
  return (
    <search className={className}>
      <form onSubmit={submit}>
        <div className="flex items-end gap-2">
          <Field label={ko.action.search} hideLabel className="min-w-0 flex-1">
            <Input
              type="search"
              placeholder={hint}
              maxLength={100}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </Field>
          <Button type="submit">
            <Search aria-hidden />
            {ko.action.search}
          </Button>
        </div>
        {period && (
          <div className="mt-2 flex flex-wrap items-center gap-2">
            <div className="flex flex-wrap items-end gap-2 max-xs:w-full max-xs:[&>*]:flex-1">
              <Field label={t.from} hideLabel>
                <Input
                  type="date"
                  max={MAX_DATE}
                  value={from}
                  onChange={(event) => set({ from: event.target.value })}
                />
              </Field>
              <Field label={t.to} hideLabel>
                <Input type="date" max={MAX_DATE} value={to} onChange={(event) => set({ to: event.target.value })} />
              </Field>
            </div>
            <Chips
              label={t.anyTime}
              options={[
                { value: '', label: t.anyTime },
                ...PERIODS.map((days) => ({ value: String(days), label: t.days(days) })),
              ]}
              value={quick ? String(quick) : from || to ? 'own' : ''}
              onValue={(days) => set({ from: days ? daysAgo(Number(days) - 1) : undefined, to: undefined })}
            />
          </div>
        )}
      </form>
    </search>
  )
}
