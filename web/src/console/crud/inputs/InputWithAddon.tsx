// An input with a unit before or after its text. The unit is not part of its accessible name.
import type { ComponentProps } from 'react'
import { Input } from '../../../ui/Input'

type InputWithAddonProps = Omit<ComponentProps<'input'>, 'className'> & { before?: string; after?: string }

const UNIT = 'pointer-events-none absolute inset-y-0 flex items-center text-ink-3'

export const InputWithAddon = ({ before, after, ...rest }: InputWithAddonProps) => (
  <div className="relative">
    {before && (
      <span aria-hidden className={`${UNIT} left-3.5`}>
        {before}
      </span>
    )}
    <Input {...rest} className={before ? 'pl-7' : after ? 'pr-9' : undefined} />
    {after && (
      <span aria-hidden className={`${UNIT} right-3.5`}>
        {after}
      </span>
    )}
  </div>
)
