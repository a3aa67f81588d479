// Buttons. At most one `accent` button per screen: the main action (buy, pay). `primary` is ink and calm.
import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, MouseEvent, MouseEventHandler, ReactNode } from 'react'
import { cn } from '../lib/cn'
import { once } from './ignoreDoubleClick'
import { Link } from './Link'

export type ButtonLook = {
  variant?: 'primary' | 'accent' | 'outline' | 'ghost' | 'danger'
  size?: 'sm' | 'md' | 'lg'
  /** As wide as its container. */
  block?: boolean
}

const VARIANTS = {
  primary: 'bg-ink text-on-ink hover:bg-ink-2',
  accent: 'bg-accent text-on-accent hover:bg-accent-strong',
  outline: 'border border-line-strong bg-raised text-ink hover:border-ink hover:bg-sunken',
  ghost: 'text-ink hover:bg-sunken',
  danger: 'border border-danger/40 bg-raised text-danger hover:bg-danger-soft',
}

const SIZES = {
  sm: 'h-9 gap-1.5 rounded-sm px-3 text-sm',
  md: 'h-11 gap-2 rounded-md px-4.5 text-base',
  lg: 'h-13 gap-2 rounded-md px-6 text-lg',
}

/** The classes of a button, for other elements that look like one. */
export const buttonClass = ({ variant = 'primary', size = 'md', block = false }: ButtonLook): string =>
  cn(
    'inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap font-semibold transition-colors',
    'aria-disabled:pointer-events-none aria-disabled:opacity-45 [&_svg]:size-[1.15em] [&_svg]:shrink-0',
    VARIANTS[variant],
    SIZES[size],
    block && 'w-full',
  )

/**
 * `aria-disabled` instead of `disabled`: a button disabled by its own click keeps the keyboard focus. Clicks do nothing,
 * nor does Enter in a field of the form it would submit.
 */
export const pressable = (
  disabled: boolean | undefined,
  onClick: MouseEventHandler<HTMLButtonElement> | undefined,
): { 'aria-disabled'?: true; onClick?: MouseEventHandler<HTMLButtonElement> } =>
  disabled ? { 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() } : { onClick }

type ButtonProps = ComponentProps<'button'> & ButtonLook & { busy?: boolean }

/**
 * `busy` shows a spinner and ignores clicks; the text stays, so the button keeps its width and name. A button that can be busy
 * sends something: a double click sends it once.
 */
export function Button({
  variant,
  size,
  block,
  busy,
  disabled,
  onClick,
  className,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      {...pressable(disabled || busy, busy === undefined ? onClick : once(onClick))}
      aria-busy={busy || undefined}
      className={cn(buttonClass({ variant, size, block }), className)}
    >
      {busy && <LoaderCircle aria-hidden className="animate-spin" />}
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, block, className, ...rest }: ComponentProps<typeof Link> & ButtonLook) {
  return <Link {...rest} className={cn(buttonClass({ variant, size, block }), className)} />
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** Accessible name and tooltip. */
  label: string
  children: ReactNode
  size?: 'sm' | 'md'
}

/** A round button with only an icon. */
export function IconButton({
  label,
  size = 'md',
  disabled,
  onClick,
  className,
  children,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      {...pressable(disabled, onClick)}
      aria-label={label}
      title={label}
      className={cn(
        'inline-flex shrink-0 items-center justify-center rounded-full text-ink transition-colors hover:bg-sunken aria-disabled:pointer-events-none aria-disabled:opacity-40',
        size === 'sm' ? 'size-8 [&_svg]:size-4' : 'size-11 [&_svg]:size-5.5',
        className,
      )}
    >
      {children}
    </button>
  )
}
