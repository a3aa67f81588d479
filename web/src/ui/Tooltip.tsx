// A short text on hover and focus. Never the only source of information.
import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export function Tooltip({
  text,
  children,
}: {
  text: ReactNode /** One element that can be focused. */
  children: ReactNode
}) {
  return (
    <Radix.Provider delayDuration={300}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            className="z-50 max-w-xs animate-fade rounded-sm bg-ink px-2.5 py-1.5 text-on-ink text-xs shadow-pop"
          >
            {text}
            <Radix.Arrow className="fill-ink" />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
