// A number of pieces in the dialog of a command.
import { NumberStepper } from '../../ui/NumberStepper'

type PiecesFieldProps = {
  label: string
  value: number
  min: number
  max: number
  onValueChange: (value: number) => void
  hint?: string
  error?: string
}

/** The stepper has its own label. */
export const PiecesField = ({ label, hint, ...stepper }: PiecesFieldProps) => (
  <div>
    <p aria-hidden className="mb-1.5 font-medium text-sm">
      {label}
    </p>
    <NumberStepper label={label} {...stepper} />
    {hint && <p className="mt-1.5 text-ink-3 text-sm">{hint}</p>}
  </div>
)
