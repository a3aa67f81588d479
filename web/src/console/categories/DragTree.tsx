// Dragging in the category tree, with a pointer, touch or the keyboard: a row is dropped before, after or inside another.
import {
  type CollisionDetection,
  DndContext,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  PointerSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { toast } from '../../ui/toast'
import { DragHandle } from '../crud/SortableItems'
import { dragWords } from '../crud/words'
import { type Branch, type DropSide, dropped, flat, isTooDeep, LEVELS, nthAt, pathOf } from './tree'
import { categoryWords } from './words'

const t = categoryWords
/** Shorter pointer movements are clicks. */
const DRAG_DISTANCE_PX = 4
/** Fractions of a row's height: above the first means before the row, below the second after it, in between inside it. */
const EDGES = { before: 0.3, after: 0.7 }
/** The point of a row that the keyboard targets for each drop side. */
const POINTS: Record<DropSide, number> = { before: 0.15, inside: 0.5, after: 0.85 }

type Target = { id: string; where: DropSide }
const DragContext = createContext<{ id?: string; over?: Target }>({})

/** The row at a point, or the nearest one, and the drop side in it. */
const rowAt: CollisionDetection = ({ pointerCoordinates, collisionRect, droppableRects, droppableContainers }) => {
  const y = pointerCoordinates?.y ?? collisionRect.top + collisionRect.height / 2
  const distance = (top: number, bottom: number) => Math.max(top - y, y - bottom, 0)
  const rows = droppableContainers.flatMap((droppableContainer) => {
    const rect = droppableRects.get(droppableContainer.id)
    return rect ? [{ droppableContainer, rect, value: distance(rect.top, rect.bottom) }] : []
  })
  return rows
    .sort((a, b) => a.value - b.value)
    .slice(0, 1)
    .map(({ droppableContainer, rect, value }) => {
      const part = (y - rect.top) / Math.max(1, rect.height)
      const where: DropSide = part < EDGES.before ? 'before' : part > EDGES.after ? 'after' : 'inside'
      return { id: droppableContainer.id, data: { droppableContainer, value, where } }
    })
}

type DragTreeProps = {
  tree: readonly Branch[]
  onDrop: (moving: Branch, target: Branch, where: DropSide) => void
  children: ReactNode
}

export function DragTree({ tree, onDrop, children }: DragTreeProps) {
  const [moving, setMoving] = useState<Branch>()
  const [over, setOver] = useState<Target>()
  const branch = (id: unknown): Branch | undefined => flat(tree).find(({ _id }) => _id === id)
  const name = (id: unknown): string => branch(id)?.name ?? ''

  /** Arrow keys: the next valid place down or up, each place once. */
  const nextPlace: KeyboardCoordinateGetter = (event, { currentCoordinates, context }) => {
    const { collisionRect, droppableRects, active } = context
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.code]
    const lifted = branch(active?.id)
    if (!step || !collisionRect || !lifted) return undefined
    event.preventDefault()
    const seen = new Set<string>()
    const ways: readonly DropSide[] = ['before', 'inside', 'after']
    const points = flat(tree).flatMap((target) =>
      ways.flatMap((where) => {
        const place = dropped(tree, lifted, target, where)
        const rect = droppableRects.get(target._id)
        const key = place && `${place.parent}/${place.before}`
        // Equals the place after its last child, which is closer to the result.
        const isNamedByChild = where === 'inside' && target.children.length > 0
        if (!rect || key === undefined || seen.has(key) || isNamedByChild) return []
        seen.add(key)
        return [rect.top + rect.height * POINTS[where]]
      }),
    )
    const y = collisionRect.top + collisionRect.height / 2
    const ahead = points.filter((point) => (point - y) * step > 1).sort((a, b) => (a - b) * step)
    return ahead[0] === undefined ? undefined : { x: currentCoordinates.x, y: currentCoordinates.y + ahead[0] - y }
  }
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_DISTANCE_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: nextPlace }),
  )

  const end = () => {
    setMoving(undefined)
    setOver(undefined)
  }
  const target = over && branch(over.id)
  const place = moving && target && over && dropped(tree, moving, target, over.where)
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={rowAt}
      accessibility={{
        screenReaderInstructions: { draggable: dragWords.help },
        announcements: {
          onDragStart: ({ active }) => dragWords.lifted(name(active.id)),
          // Announced below: one row stands for three places.
          onDragOver: () => undefined,
          onDragEnd: () => undefined,
          onDragCancel: ({ active }) => dragWords.canceled(name(active.id)),
        },
      }}
      onDragStart={({ active }) => setMoving(branch(active.id))}
      onDragMove={({ active, collisions }) => {
        const [hit] = collisions ?? []
        const [lifted, row, where] = [branch(active.id), branch(hit?.id), hit?.data?.where as DropSide | undefined]
        const may = lifted && row && where && dropped(tree, lifted, row, where)
        const next = may ? { id: row._id, where } : undefined
        setOver((now) => (now?.id === next?.id && now?.where === next?.where ? now : next))
      }}
      onDragEnd={({ collisions }) => {
        const [row, where] = [branch(collisions?.[0]?.id), collisions?.[0]?.data?.where as DropSide | undefined]
        if (moving && target && over) onDrop(moving, target, over.where)
        else if (moving && row && where && isTooDeep(tree, moving, row, where))
          void toast(t.tooDeep(moving.name, LEVELS), { tone: 'error' })
        end()
      }}
      onDragCancel={end}
    >
      <DragContext value={{ id: moving?._id, over }}>{children}</DragContext>
      <p className="sr-only" aria-live="assertive">
        {moving && place && t.at(moving.name, pathOf(tree, place.parent), nthAt(tree, moving, place))}
      </p>
    </DndContext>
  )
}

type DragRow = {
  ref: (node: HTMLElement | null) => void
  isDragging: boolean
  /** The drop side at this row, if it is the current target. */
  over: DropSide | undefined
  handle: ReactNode
}

export function useDragRow(branch: Branch): DragRow {
  const { id, over } = useContext(DragContext)
  const { setNodeRef: setDroppable } = useDroppable({ id: branch._id })
  const { setNodeRef, setActivatorNodeRef, attributes, listeners } = useDraggable({
    id: branch._id,
    attributes: { roleDescription: dragWords.role },
  })
  return {
    ref: (node) => {
      setNodeRef(node)
      setDroppable(node)
    },
    isDragging: id === branch._id,
    over: over?.id === branch._id ? over.where : undefined,
    handle: <DragHandle ref={setActivatorNodeRef} name={branch.name} {...attributes} {...listeners} />,
  }
}
