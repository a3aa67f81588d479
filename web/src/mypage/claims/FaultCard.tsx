// Reason of a return or exchange, and whose fault it is: implied by the reason, or chosen by the buyer for their own text.
import type { Fault } from '../../api/types'
import type { FormErrors } from '../../features/forms/useForm'
import reasons from '../../i18n/return-reasons.json'
import { Card } from '../../ui/Card'
import { RadioGroup } from '../../ui/Checkbox'
import { NO_REASON, OTHER, type Reason, ReasonFields, reasonError } from './ReasonFields'

export type ReasonAndFault = Reason & { fault: Fault | '' }

export const NO_FAULT: ReasonAndFault = { ...NO_REASON, fault: '' }

/** Whose fault it is; undefined until chosen. */
export const faultOf = ({ choice, fault }: Pick<ReasonAndFault, 'choice' | 'fault'>): Fault | undefined =>
  choice === OTHER ? fault || undefined : (reasons.find(({ text }) => text === choice)?.fault as Fault | undefined)

/** Validation errors, by field. */
export const faultErrors = (values: ReasonAndFault): FormErrors => ({
  reason: reasonError(values),
  fault: values.choice === OTHER && !values.fault ? '누구의 사정인지 선택해 주세요.' : undefined,
})

/** The error of the fault if its field is hidden. */
export const hiddenFaultError = ({ choice }: Reason, errors: FormErrors): string | undefined =>
  choice === OTHER ? undefined : errors.fault

const faults = (word: string) =>
  [
    { value: 'BUYER', label: `제 사정으로 ${word}해요`, text: `${word} 배송비를 구매자가 부담합니다.` },
    {
      value: 'SELLER',
      label: '상품이나 배송에 문제가 있어요',
      text: `${word} 배송비를 판매자가 부담합니다. 상품을 확인한 결과에 따라 바뀔 수 있습니다.`,
    },
  ] as const

type FaultCardProps = {
  /** `반품`: the kind of application. */
  word: string
  /** `반품은`. */
  topic: string
  value: ReasonAndFault
  onValueChange: (part: Partial<ReasonAndFault>) => void
  errors: FormErrors
}

export function FaultCard({ word, topic, value, onValueChange, errors }: FaultCardProps) {
  return (
    <Card title={`${word} 사유`}>
      <ReasonFields
        legend={`${word} 사유`}
        reasons={reasons.map(({ text }) => text)}
        value={value}
        onValueChange={onValueChange}
        error={errors.reason}
      />
      {value.choice === OTHER && (
        <RadioGroup
          legend="누구의 사정인가요?"
          look="card"
          options={faults(word)}
          value={value.fault || undefined}
          onValueChange={(fault) => onValueChange({ fault })}
          error={errors.fault}
          className="mt-5"
        />
      )}
      <p className="mt-5 text-ink-3 text-sm">
        {topic} 상품을 받은 날부터 7일 안에 신청할 수 있습니다. 상품에 하자가 있거나 표시·광고와 다르면 받은 날부터
        3개월, 그 사실을 안 날부터 30일 안에 신청할 수 있습니다.
      </p>
    </Card>
  )
}
