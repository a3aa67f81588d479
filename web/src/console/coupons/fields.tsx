// Editors of a coupon's rules: what a field list cannot say, because it depends on another rule or is chosen from what there is.
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useApiQuery } from '../../api/query'
import { useSession } from '../../api/session'
import { formatDate } from '../../lib/date'
import { date, MAX_DATE } from '../../lib/validators'
import { Button, IconButton } from '../../ui/Button'
import { Checkbox, RadioGroup } from '../../ui/Checkbox'
import { Field, Fieldset } from '../../ui/Field'
import { Input, Select } from '../../ui/Input'
import { missing, optional } from '../../ui/Optional'
import { Loading, Skeleton } from '../../ui/states'
import { getIn } from '../crud/formState'
import type { EditProps } from '../crud/resourceDefinition'
import { fieldOf, type Option, optionLabel, valuesOf } from '../crud/schema'
import { couponOf } from './couponOf'
import { roundText } from './rules'
import { couponWords as t } from './words'

/** The form has it already. */
const TagsInput = optional(async () => ({ default: (await import('../crud/inputs/TagsInput')).TagsInput }), {
  instead: missing,
})

const EVENT = 'issue.event.type'
const CODE = 'issue.event.code'

/** What the coupon is issued for, and what that means. */
export function EventField({ schema, draft, setValue, errors, readOnly }: EditProps) {
  const type = String(getIn(draft, EVENT) ?? '')
  return (
    <Field
      label={fieldOf(schema, EVENT)?.label}
      required
      error={errors[EVENT] ?? errors['issue.event']}
      hint={t.eventHints[type]}
    >
      <Select
        options={valuesOf(schema, EVENT)}
        placeholder={t.chooseEvent}
        value={type}
        disabled={readOnly}
        onChange={(event) => {
          setValue(EVENT, event.target.value)
          setValue(CODE, '')
        }}
      />
    </Field>
  )
}

/** Which level, which date of a member, or which day of the shop. */
export function EventCodeField(edit: EditProps) {
  const { draft, setValue, errors, readOnly } = edit
  const type = getIn(draft, EVENT)
  const code = String(getIn(draft, CODE) ?? '')
  const put = (next: string) => setValue(CODE, next)
  if (type === 'SPECIAL_DATE')
    return (
      <RadioGroup
        legend={t.specialDate}
        options={Object.entries(t.specialDates).map(([value, label]) => ({ value, label, disabled: readOnly }))}
        value={code}
        onValueChange={put}
        error={errors[CODE]}
      />
    )
  if (type === 'SHOP_SPECIFIC_DAY')
    return <ShopDays code={code} onCode={put} error={errors[CODE]} disabled={readOnly} />
  return <ReachedLevel code={code} onCode={put} error={errors[CODE]} disabled={readOnly} />
}

/** A day of the shop in words: of every year (`MM-DD`), or of one. */
export function shopDayText(day: string): string {
  const [month, date] = /^(\d\d)-(\d\d)$/.exec(day)?.slice(1).map(Number) ?? []
  return month && date ? t.dayOfYear(month, date) : formatDate(day)
}

type CodeProps = { code: string; onCode: (code: string) => void; error?: string; disabled: boolean }

/** The days of the shop: with commas between, `MM-DD` for every year and `YYYY-MM-DD` for one. */
function ShopDays({ code, onCode, error, disabled }: CodeProps) {
  const [typed, setTyped] = useState('')
  const [yearly, setYearly] = useState(false)
  const days = code.split(',').filter(Boolean)
  const put = (next: readonly string[]) => onCode([...new Set(next)].sort().join(','))
  const add = () => {
    if (date(typed)) return
    put([...days, yearly ? typed.slice('YYYY-'.length) : typed])
    setTyped('')
  }
  return (
    <Fieldset legend={t.shopDays} required error={error}>
      <ul className="mb-2 flex flex-wrap gap-1.5 empty:hidden">
        {days.map((day) => (
          <li key={day} className="flex items-center rounded-full border border-line bg-raised pl-3 text-sm">
            {shopDayText(day)}
            <IconButton
              size="sm"
              label={t.removeDay(shopDayText(day))}
              disabled={disabled}
              onClick={() => put(days.filter((one) => one !== day))}
            >
              <X aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {!disabled && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Input
            type="date"
            aria-label={t.shopDay}
            className="w-44"
            max={MAX_DATE}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Checkbox label={t.everyYear} checked={yearly} onChange={(event) => setYearly(event.target.checked)} />
          <Button variant="outline" disabled={date(typed) !== undefined} onClick={add}>
            {t.addDay}
          </Button>
        </div>
      )}
    </Fieldset>
  )
}

function ReachedLevel({ code, onCode, error, disabled }: CodeProps) {
  const levels = useLevels()
  const isKnown = code === '' || levels.some(({ value }) => value === code)
  return (
    <Field label={t.reachedLevel} error={error}>
      <Select
        options={isKnown ? levels : [...levels, { value: code, label: code }]}
        placeholder={t.anyLevel}
        value={code}
        disabled={disabled}
        onChange={(event) => onCode(event.target.value)}
      />
    </Field>
  )
}

const useIsStaff = (): boolean => useSession((s) => s.payload?.scope.includes('console')) ?? false

/** The membership levels; none for sellers, who may not look through them. */
function useLevels(): readonly Option[] {
  const { data } = useApiQuery('/api/console/levels', {}, { enabled: useIsStaff() })
  return data?.levels.map(({ code, name }) => ({ value: code, label: name })) ?? []
}

/** What a level is called; its code where that is not known. */
function useLevelName(): (code: string) => string {
  const levels = useLevels()
  return (code) => optionLabel(levels, code)
}

type TicksProps = { edit: EditProps; name: string; options: readonly Option[]; children?: ReactNode }

/** The values of a field, ticked among what there is; what is stored and is no more can be unticked. */
function Ticks({ edit: { schema, draft, setValue, errors, readOnly }, name, options }: TicksProps) {
  const value = getIn(draft, name)
  const chosen = Array.isArray(value) ? value.map(String) : []
  const gone = chosen.filter((one) => !options.some((option) => option.value === one))
  const all = [...options, ...gone.map((one) => ({ value: one, label: one }))]
  return (
    <Fieldset legend={fieldOf(schema, name)?.label ?? name} error={errors[name]} className="sm:col-span-2">
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {all.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            disabled={readOnly}
            checked={chosen.includes(option.value)}
            onChange={(event) =>
              setValue(
                name,
                event.target.checked ? [...chosen, option.value] : chosen.filter((one) => one !== option.value),
              )
            }
          />
        ))}
      </div>
    </Fieldset>
  )
}

export function LevelsField(edit: EditProps) {
  const name = 'issue.target._levels'
  const levels = useLevels()
  const isStaff = useIsStaff()
  const value = getIn(edit.draft, name)
  if (isStaff) return <Ticks edit={edit} name={name} options={levels} />
  return (
    <Field label={fieldOf(edit.schema, name)?.label} error={edit.errors[name]} className="sm:col-span-2">
      <TagsInput
        value={Array.isArray(value) ? value.map(String) : []}
        onValueChange={(codes) => edit.setValue(name, codes)}
        disabled={edit.readOnly}
      />
    </Field>
  )
}

const USER_TYPES = Object.entries(t.userTypes).map(([value, label]) => ({ value, label }))

export const UserTypesField = (edit: EditProps) => (
  <Ticks edit={edit} name="issue.target.userTypes" options={USER_TYPES} />
)

/** The places where products are displayed; the display's own schema names them. */
export function DisplaysField(edit: EditProps) {
  const { data } = useQuery({
    queryKey: ['resource', 'display'],
    queryFn: async () => (await import('virtual:resource/display')).default,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const places = data ? (data.filters.find(({ name }) => name === 'code')?.values ?? valuesOf(data, 'code')) : []
  return <Ticks edit={edit} name="usage.target.displayCodes" options={places} />
}

/** How often one member receives it, in words. */
export function RoundNote({ draft }: EditProps) {
  const type = getIn(draft, 'issue.round.type')
  const list = getIn(draft, `issue.round.${type === 'infinite' ? 'excludeds' : 'includeds'}`)
  return (
    <p className="rounded-md bg-sunken px-4 py-3 text-ink-2 text-sm">
      {roundText({
        type,
        rounds: Array.isArray(list) ? list : [],
        isDownload: getIn(draft, 'issue.type') !== 'instant',
        count: Number(draft.count) || 1,
      })}
    </p>
  )
}

const Reach = optional(() => import('./Reach'), {
  waiting: () => (
    <Loading>
      <Skeleton className="h-32" />
    </Loading>
  ),
  instead: missing,
})

/** The reach is shown to staff only, since it names members. */
export function ReachForStaff({ schema, draft }: EditProps) {
  const levelName = useLevelName()
  if (!useIsStaff()) return <p className="text-ink-2">{t.reachForStaff}</p>
  return <Reach coupon={couponOf(schema, draft)} levelName={levelName} />
}
