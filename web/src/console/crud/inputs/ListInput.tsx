// A list of things of one shape (slides, fare steps): added, taken away, and moved by dragging or by the arrow buttons.
import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { cn } from '../../../lib/cn'
import { Button, IconButton } from '../../../ui/Button'
import { Fieldset } from '../../../ui/Field'
import { type Document, getIn, KEY, newItem, toDraft } from '../formState'
import type { Field } from '../schema'
import { crudWords } from '../words'
import { type ControlProps, FieldInput } from './FieldInput'

const k = crudWords

/** What a new item starts with: what must be chosen is chosen. */
function freshItem(fields: readonly Field[]): Document {
  const chosen = fields.flatMap((field) => {
    const first = field.type === 'enum' && field.required ? field.values?.[0]?.value : undefined
    return first === undefined ? [] : [[field.name, first] as const]
  })
  return newItem(toDraft(fields, Object.fromEntries(chosen)))
}

export function ListInput({
  field,
  path = field.name,
  draft,
  put,
  errors,
  disabled,
  className,
}: ControlProps & { className?: string }) {
  const items = (getIn(draft, path) as Document[] | undefined) ?? []
  const fields = (field.of ?? []).filter((inner) => !(inner.readOnly && inner.name === '_id'))
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const move = (from: number, to: number) => {
    if (to < 0 || to >= items.length || from === to) return
    const next = [...items]
    const [one] = next.splice(from, 1)
    if (one) next.splice(to, 0, one)
    put(path, next)
  }
  const drop = () => {
    if (dragged !== undefined && over !== undefined) move(dragged, over)
    setDragged(undefined)
    setOver(undefined)
  }
  return (
    <Fieldset legend={field.label} error={errors[path]} className={className}>
      {items.length === 0 && <p className="mb-3 text-ink-3 text-sm">{k.emptyList(field.label)}</p>}
      <ol className="grid gap-3">
        {items.map((item, i) => {
          const called = `${field.label} ${i + 1}`
          return (
            <li
              key={String(item[KEY] ?? i)}
              aria-label={called}
              onDragOver={(event) => {
                if (dragged === undefined) return
                event.preventDefault()
                setOver(i)
              }}
              onDrop={drop}
              className={cn(
                'rounded-md border p-4',
                dragged === i ? 'border-line opacity-50' : over === i ? 'border-ink' : 'border-line',
              )}
            >
              <div className="mb-3 flex items-center gap-1">
                <span
                  aria-hidden
                  draggable={!disabled}
                  onDragStart={(event) => {
                    event.dataTransfer.effectAllowed = 'move'
                    event.dataTransfer.setData('text/plain', called)
                    setDragged(i)
                  }}
                  onDragEnd={drop}
                  className="-ml-1 cursor-grab text-ink-3 active:cursor-grabbing"
                >
                  <GripVertical className="size-5" />
                </span>
                <span className="flex-1 font-semibold text-sm">{called}</span>
                <IconButton
                  size="sm"
                  label={k.up(called)}
                  disabled={disabled || i === 0}
                  onClick={() => move(i, i - 1)}
                >
                  <ArrowUp aria-hidden />
                </IconButton>
                <IconButton
                  size="sm"
                  label={k.down(called)}
                  disabled={disabled || i === items.length - 1}
                  onClick={() => move(i, i + 1)}
                >
                  <ArrowDown aria-hidden />
                </IconButton>
                <IconButton
                  size="sm"
                  label={k.removeItem(called)}
                  disabled={disabled}
                  onClick={() =>
                    put(
                      path,
                      items.filter((_, place) => place !== i),
                    )
                  }
                >
                  <Trash2 aria-hidden />
                </IconButton>
              </div>
              <div className="grid gap-4 sm:grid-cols-2">
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
              </div>
            </li>
          )
        })}
      </ol>
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
