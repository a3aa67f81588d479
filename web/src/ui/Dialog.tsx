// Layers over the page: a dialog in the middle, a sheet from an edge. Focus stays inside, Escape closes.
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ko } from '../i18n/ko'
import { cn } from '../lib/cn'
import { IconButton } from './Button'
import { useFocusReturn } from './focusReturn'
import { useDismissableLayer } from './layers'

type LayerProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** One sentence under the title. */
  description?: ReactNode
  /** The title is for screen readers only. */
  hideTitle?: boolean
  /** Beside the close button. */
  headerActions?: ReactNode
  /** Buttons in a sticky footer. */
  footer?: ReactNode
  children?: ReactNode
}

/** Focuses the first field, if any; not on touch devices, whose keyboard would cover the content. */
function beginAtField(event: Event): void {
  if (window.matchMedia?.('(pointer: fine)').matches) typeAtOnce(event)
}

/** Text inputs. */
export const FIELD = 'input:not([type="file"], :disabled), textarea, select'

/** Focuses the first field, on touch devices too. */
function typeAtOnce(event: Event): void {
  if (!(event.target instanceof HTMLElement)) return
  const field = event.target.querySelector<HTMLElement>(FIELD)
  if (!field) return
  event.preventDefault()
  field.focus()
}

const VEIL = 'fixed inset-0 z-50 animate-fade bg-veil'

function DialogContent({
  title,
  description,
  hideTitle,
  headerActions,
  footer,
  children,
}: Omit<LayerProps, 'open' | 'onOpenChange'>) {
  return (
    <>
      <header className={cn('flex items-start gap-2 px-6 pt-5 pb-3', hideTitle && 'justify-end')}>
        <div className={cn('min-w-0 flex-1 pt-1.5', hideTitle && 'sr-only')}>
          <Radix.Title className="font-bold text-xl">{title}</Radix.Title>
          {description && <Radix.Description className="mt-1 text-ink-2">{description}</Radix.Description>}
        </div>
        {headerActions}
        <Radix.Close asChild>
          <IconButton label={ko.action.close} className="-mr-2.5">
            <X aria-hidden />
          </IconButton>
        </Radix.Close>
      </header>
      <Body>{children}</Body>
      {footer && (
        <footer className="flex justify-end gap-2 border-line border-t px-6 py-4 max-xs:[&>*]:flex-1">{footer}</footer>
      )}
    </>
  )
}

/** Content higher than the layer scrolls, by keyboard too. */
function Body({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const [outer, inner] = [frame.current, content.current]
    if (!outer || !inner) return
    const watcher = new ResizeObserver(() => setScrolls(outer.scrollHeight > outer.clientHeight))
    watcher.observe(outer)
    watcher.observe(inner)
    return () => watcher.disconnect()
  }, [])
  return (
    <div ref={frame} tabIndex={scrolls ? 0 : undefined} className="min-h-0 flex-1 overflow-y-auto px-6 pb-6">
      <div ref={content}>{children}</div>
    </div>
  )
}

/** A dialog. `description` or the children explain it. */
export function Dialog({ open, onOpenChange, width = 'md', ...inside }: LayerProps & { width?: 'sm' | 'md' | 'lg' }) {
  useDismissableLayer(open, () => onOpenChange(false))
  const focus = useFocusReturn(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={VEIL} />
        <Radix.Content
          {...(inside.description ? {} : { 'aria-describedby': undefined })}
          {...focus}
          onOpenAutoFocus={beginAtField}
          className={cn(
            'fixed inset-x-4 top-1/2 z-50 mx-auto flex max-h-[min(85dvh,48rem)] -translate-y-1/2 animate-rise flex-col rounded-xl bg-raised shadow-pop focus:outline-none',
            { sm: 'max-w-sm', md: 'max-w-lg', lg: 'max-w-3xl' }[width],
          )}
        >
          <DialogContent {...inside} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const SIDES = {
  right: 'inset-y-0 right-0 w-[min(28rem,92vw)] animate-from-right',
  left: 'inset-y-0 left-0 w-[min(22rem,88vw)] animate-from-left',
  full: 'inset-0 animate-fade',
  bottom: 'inset-x-0 bottom-0 max-h-[85dvh] rounded-t-xl pb-[env(safe-area-inset-bottom)] animate-from-bottom',
}

type SheetProps = LayerProps & {
  side?: keyof typeof SIDES
  /** Opened to type into its first field. */
  toType?: boolean
}

/** A drawer from the left or right, or a sheet from the bottom (options on a phone). */
export function Sheet({ open, onOpenChange, side = 'right', toType = false, ...inside }: SheetProps) {
  useDismissableLayer(open, () => onOpenChange(false))
  const focus = useFocusReturn(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={VEIL} />
        <Radix.Content
          {...(inside.description ? {} : { 'aria-describedby': undefined })}
          {...focus}
          onOpenAutoFocus={toType ? typeAtOnce : undefined}
          className={cn('fixed z-50 flex flex-col bg-raised shadow-pop focus:outline-none', SIDES[side])}
        >
          <DialogContent {...inside} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
