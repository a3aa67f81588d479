// Chooses who receives points.
import { useApiQuery } from '../../api/query'
import { Button } from '../../ui/Button'
import { Checkbox, RadioGroup } from '../../ui/Checkbox'
import { Field, Fieldset } from '../../ui/Field'
import { Textarea } from '../../ui/Input'
import { Notice } from '../../ui/Notice'
import { ReferencesInput } from '../crud/inputs/ReferenceInput'
import { RECEIVERS_MOST, type ReceiversValue, type UnknownMember, usernamesOf, without } from './receivers'
import { benefitWords } from './words'

const t = benefitWords.receivers
const SHOWN = 10

type ReceiversProps = {
  value: ReceiversValue
  onValueChange: (value: ReceiversValue) => void
  error?: string
  /** Members the server did not know. */
  unknown?: readonly UnknownMember[]
}

export function Receivers({ value, onValueChange, error, unknown: refused = [] }: ReceiversProps) {
  const change = (part: Partial<ReceiversValue>) => onValueChange({ ...value, ...part })
  const { usernames, repeated } = usernamesOf(value.text)
  // Those that were taken out of the list meanwhile are no fault any more.
  const unknown = refused.filter((one) => value.by !== 'usernames' || usernames.includes(one.value))
  return (
    <div className="grid gap-3">
      <RadioGroup
        legend={t.legend}
        options={[
          { value: 'levels' as const, label: t.levels },
          { value: 'usernames' as const, label: t.usernames },
          { value: 'users' as const, label: t.users },
        ]}
        value={value.by}
        onValueChange={(by) => change({ by })}
      />
      {value.by === 'levels' && (
        <Levels value={value.levels} onValueChange={(levels) => change({ levels })} error={error} />
      )}
      {value.by === 'usernames' && (
        <>
          <Field label={t.usernamesLabel} hint={t.usernamesHint(RECEIVERS_MOST)} error={error}>
            <Textarea
              rows={6}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={value.text}
              onChange={(event) => change({ text: event.target.value })}
            />
          </Field>
          {usernames.length > 0 && (
            <p aria-live="polite" className="figures -mt-2 text-ink-2 text-sm">
              {t.count(usernames.length)}
              {repeated > 0 && ` · ${t.twice(repeated)}`}
            </p>
          )}
        </>
      )}
      {value.by === 'users' && (
        <ReferencesInput
          label={benefitWords.member}
          kind="member"
          value={value.users}
          onValueChange={(users) => change({ users })}
          error={error}
        />
      )}
      {unknown.length > 0 && (
        <Notice
          tone="bad"
          action={
            value.by === 'usernames' && (
              <Button size="sm" variant="outline" onClick={() => change({ text: without(value.text, unknown) })}>
                {t.drop}
              </Button>
            )
          }
        >
          <p>{t.unknown(unknown.length)}</p>
          <ul className="mt-1">
            {unknown.slice(0, SHOWN).map((one) => (
              <li key={one.index} className="figures break-all">
                {t.unknownAt(one.index + 1, one.value)}
              </li>
            ))}
            {unknown.length > SHOWN && <li>{t.more(unknown.length - SHOWN)}</li>}
          </ul>
        </Notice>
      )}
    </div>
  )
}

type LevelsProps = { value: readonly string[]; onValueChange: (levels: string[]) => void; error?: string }

/** The membership levels there are, to be ticked. */
export function Levels({ value, onValueChange, error }: LevelsProps) {
  const { data } = useApiQuery('/api/console/levels')
  return (
    <Fieldset legend={t.levels} hideLegend error={error}>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {data?.levels.map(({ code, name }) => (
          <Checkbox
            key={code}
            label={name}
            checked={value.includes(code)}
            onChange={(event) =>
              onValueChange(event.target.checked ? [...value, code] : value.filter((one) => one !== code))
            }
          />
        ))}
      </div>
      <p className="mt-1.5 text-ink-3 text-sm">{t.levelsHint}</p>
    </Fieldset>
  )
}
