// A list of objects of one shape (slides, fare steps): added, removed, and sorted by dragging or by arrow buttons.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../../lib/cn'
import { Button, IconButton } from '../../../ui/Button'
import { Fieldset } from '../../../ui/Field'
import { type Document, getIn, KEY, newItem, toDraft } from '../formState'
import { SortableItems, useSortableItem } from '../SortableItems'
import type { Field } from '../schema'
import { crudWords } from '../words'
import { FieldInput, type FieldInputProps } from './FieldInput'

const k = crudWords

/** Initial values of a new item: required options are preselected, and it is in use. */
function freshItem(fields: readonly Field[]): Document {
  const chosen = fields.flatMap((field) => {
    const first =
      field.type === 'enum' && field.required ? field.values?.[0]?.value : field.name === 'enabled' || undefined
    return first === undefined ? [] : [[field.name, first] as const]
  })
  return newItem(toDraft(fields, Object.fromEntries(chosen)))
}

export default function ListInput({
  field,
  path = field.name,
  draft,
  put,
  errors,
  disabled,
  className,
}: FieldInputProps & { className?: string }) {
  const items = (getIn(draft, path) as Document[] | undefined) ?? []
  const fields = (field.of ?? []).filter((inner) => !(inner.readOnly && inner.name === '_id'))
  const move = (from: number, to: number) => {
    if (to < 0 || to >= items.length || from === to) return
    const next = [...items]
    const [one] = next.splice(from, 1)
    if (one) next.splice(to, 0, one)
    put(path, next)
  }
  const ids = items.map((item, i) => String(item[KEY] ?? i))
  const nameOf = (i: number) => `${field.label} ${i + 1}`
  return (
    <Fieldset legend={field.label} error={errors[path]} className={className}>
      {items.length === 0 && <p className="mb-3 text-ink-3 text-sm">{k.emptyList(field.label)}</p>}
      <SortableItems ids={ids} nameOf={(id) => nameOf(ids.indexOf(id))} onMove={move}>
        <ol className="grid gap-3">
          {ids.map((id, i) => (
            <Item
              key={id}
              id={id}
              name={nameOf(i)}
              disabled={disabled}
              onUp={i > 0 ? () => move(i, i - 1) : undefined}
              onDown={i < items.length - 1 ? () => move(i, i + 1) : undefined}
              onRemove={() =>
                put(
                  path,
                  items.filter((_, place) => place !== i),
                )
              }
            >
              {fields.map((inner) => (
                <FieldInput
                  key={inner.name}
                  field={inner}
                  path={`${path}.${i}.${inner.name}`}
                  draft={draft}
                  put={put}
                  errors={errors}
                  disabled={disabled}
                />
              ))}
            </Item>
          ))}
        </ol>
      </SortableItems>
      {!disabled && (
        <Button
          size="sm"
          variant="outline"
          className="mt-3"
          onClick={() => put(path, [...items, freshItem(field.of ?? [])])}
        >
          <Plus aria-hidden />
          {k.addItem(field.label)}
        </Button>
      )}
    </Fieldset>
  )
}

type ItemProps = {
  id: string
  name: string
  disabled?: boolean
  /** Undefined at the ends. */
  onUp?: () => void
  onDown?: () => void
  onRemove: () => void
  children: ReactNode
}

function Item({ id, name, disabled = false, onUp, onDown, onRemove, children }: ItemProps) {
  const { ref, style, isDragging, handle } = useSortableItem(id, name, disabled)
  return (
    <li
      ref={ref}
      style={style}
      aria-label={name}
      className={cn('rounded-md border border-line bg-raised p-4', isDragging && 'relative z-10 border-ink shadow-pop')}
    >
      <div className="mb-3 flex items-center gap-1">
        {handle}
        <span className="flex-1 font-semibold text-sm">{name}</span>
        <IconButton size="sm" label={k.up(name)} disabled={disabled || !onUp} onClick={onUp}>
          <ArrowUp aria-hidden />
        </IconButton>
        <IconButton size="sm" label={k.down(name)} disabled={disabled || !onDown} onClick={onDown}>
          <ArrowDown aria-hidden />
        </IconButton>
        <IconButton size="sm" label={k.removeItem(name)} disabled={disabled} onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">{children}</div>
    </li>
  )
}
