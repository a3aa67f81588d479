// The options of a combobox. A click keeps the focus in the text box; a touch that scrolls the list selects nothing.
import type { ReactNode } from 'react'
import { cn } from '../lib/cn'
import { type Combobox, optionId } from './useCombobox'

type ComboboxListProps<T> = {
  combobox: Combobox
  label: string
  options: readonly T[]
  keyOf: (option: T) => string
  children: (option: T) => ReactNode
  /** Shown instead of the options when there are none. */
  empty?: ReactNode
  className?: string
  optionClass?: string
}

export function ComboboxList<T>({
  combobox: { listId, active, activate, choose },
  label,
  options,
  keyOf,
  children,
  empty,
  className,
  optionClass,
}: ComboboxListProps<T>) {
  return (
    <div className={className}>
      <div id={listId} role="listbox" aria-label={label}>
        {options.map((option, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the text box, which keeps the focus
          <div
            key={keyOf(option)}
            id={optionId(listId, i)}
            role="option"
            tabIndex={-1}
            aria-selected={i === active}
            ref={(node) => {
              if (i === active) node?.scrollIntoView({ block: 'nearest' })
            }}
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => i !== active && activate(i)}
            onClick={() => choose(i)}
            className={cn('cursor-pointer', optionClass, i === active && 'bg-sunken')}
          >
            {children(option)}
          </div>
        ))}
      </div>
      {options.length === 0 && empty && <div role="status">{empty}</div>}
    </div>
  )
}
