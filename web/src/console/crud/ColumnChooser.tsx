// Chooses the visible columns of a list.
import { Columns3 } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { Button } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import { useDismissableLayer } from '../../ui/layers'
import { crudWords } from './words'

const k = crudWords

type ColumnChooserProps = {
  columns: readonly { id: string; header: string }[]
  chosen: readonly string[]
  /** Always shown. */
  first: string
  onChoose: (columns: readonly string[] | undefined) => void
}

export function ColumnChooser({ columns, chosen, first, onChoose }: ColumnChooserProps) {
  const [open, setOpen] = useState(false)
  useDismissableLayer(open, () => setOpen(false))
  const toggle = (id: string, on: boolean) =>
    // In the list's own order.
    onChoose(columns.map((column) => column.id).filter((one) => (one === id ? on : chosen.includes(one))))
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button size="sm" variant="ghost">
          <Columns3 aria-hidden />
          <span className="max-sm:sr-only">{k.columns}</span>
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={k.columns}
          className="z-40 max-h-[min(60dvh,var(--radix-popover-content-available-height))] w-60 overflow-y-auto rounded-lg border border-line bg-raised p-3 shadow-pop"
        >
          <ul className="grid gap-2 text-sm">
            {columns.map((column) => (
              <li key={column.id}>
                <Checkbox
                  label={column.header}
                  checked={column.id === first || chosen.includes(column.id)}
                  disabled={column.id === first}
                  onChange={(event) => toggle(column.id, event.target.checked)}
                />
              </li>
            ))}
          </ul>
          <Button size="sm" variant="ghost" block className="mt-2" onClick={() => onChoose(undefined)}>
            {k.columnsReset}
          </Button>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
