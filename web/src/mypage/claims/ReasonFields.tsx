// The reason of a cancellation or return: one of the list, or the buyer's own text.
import { RadioGroup } from '../../ui/Checkbox'
import { Field } from '../../ui/Field'
import { Textarea } from '../../ui/Input'

export const OTHER = 'OTHER'
const REASON_MOST = 1000

export type Reason = {
  /** A reason of the list, {@link OTHER}, or empty. */
  choice: string
  own: string
}

export const NO_REASON: Reason = { choice: '', own: '' }

/** The reason for the request. */
export const reasonText = ({ choice, own }: Reason): string => (choice === OTHER ? own.trim() : choice)

export function reasonError({ choice, own }: Reason): string | undefined {
  if (choice === '') return '사유를 선택해 주세요.'
  return choice === OTHER && own.trim().length < 2 ? '사유를 두 글자 이상 입력해 주세요.' : undefined
}

type ReasonFieldsProps = {
  legend: string
  reasons: readonly string[]
  value: Reason
  onValueChange: (part: Partial<Reason>) => void
  error: string | undefined
}

export function ReasonFields({ legend, reasons, value, onValueChange, error }: ReasonFieldsProps) {
  const isOwn = value.choice === OTHER
  return (
    <>
      <RadioGroup
        legend={legend}
        hideLegend
        options={[...reasons.map((text) => ({ value: text, label: text })), { value: OTHER, label: '직접 입력' }]}
        value={value.choice || undefined}
        onValueChange={(choice) => onValueChange({ choice })}
        error={isOwn ? undefined : error}
        className="[&>div]:flex-col"
      />
      {isOwn && (
        <Field label="사유" hideLabel error={error} className="mt-3">
          <Textarea
            rows={3}
            maxLength={REASON_MOST}
            value={value.own}
            onChange={(event) => onValueChange({ own: event.target.value })}
          />
        </Field>
      )}
    </>
  )
}
