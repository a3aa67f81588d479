// Items of a list sorted by dragging their handle: with a pointer, touch, or the keyboard (Space lifts and drops, the arrow keys move,
// Escape cancels).
import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { GripVertical } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { dragWords } from './words'

/** Shorter movements of the pointer are clicks. */
const DRAG_DISTANCE_PX = 4

type SortableItemsProps = {
  /** Keys of the items in their order. */
  ids: readonly string[]
  /** An item's name for screen readers. */
  nameOf: (id: string) => string
  onMove: (from: number, to: number) => void
  children: ReactNode
}

export function SortableItems({ ids, nameOf, onMove, children }: SortableItemsProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_DISTANCE_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const nth = (id: UniqueIdentifier): number => ids.indexOf(String(id)) + 1
  const name = (id: UniqueIdentifier): string => nameOf(String(id))
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        screenReaderInstructions: { draggable: dragWords.help },
        announcements: {
          onDragStart: ({ active }) => dragWords.lifted(name(active.id)),
          onDragOver: ({ active, over }) =>
            over ? dragWords.over(name(active.id), nth(over.id), ids.length) : undefined,
          onDragEnd: ({ active, over }) => dragWords.dropped(name(active.id), nth(over?.id ?? active.id)),
          onDragCancel: ({ active }) => dragWords.canceled(name(active.id)),
        },
      }}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) onMove(nth(active.id) - 1, nth(over.id) - 1)
      }}
    >
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  )
}

type Sortable = {
  ref: (node: HTMLElement | null) => void
  style: CSSProperties
  isDragging: boolean
  handle: ReactNode
}

/** Position of an item while something is dragged, and its drag handle (none where `disabled`). */
export function useSortableItem(id: string, name: string, disabled = false): Sortable {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id,
    disabled,
    attributes: { roleDescription: dragWords.role },
  })
  return {
    ref: setNodeRef,
    style: { transform: CSS.Translate.toString(transform), transition },
    isDragging,
    handle: !disabled && <DragHandle ref={setActivatorNodeRef} name={name} {...attributes} {...listeners} />,
  }
}

type DragHandleProps = { ref: (node: HTMLElement | null) => void; name: string }

export function DragHandle({ ref, name, ...rest }: DragHandleProps) {
  return (
    <button
      {...rest}
      ref={ref}
      type="button"
      aria-label={dragWords.handle(name)}
      // A touch on it drags instead of scrolling the page.
      className="-ml-2 flex size-8 shrink-0 cursor-grab touch-none items-center justify-center rounded-sm hover:bg-sunken active:cursor-grabbing"
    >
      <GripVertical aria-hidden className="size-5 text-ink-3" />
    </button>
  )
}
