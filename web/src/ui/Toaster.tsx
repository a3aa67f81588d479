// sonner in the shop's colours.
import { useEffect } from 'react'
import { Toaster as Sonner, toast as sonner } from 'sonner'

export { sonner as toast }

/**
 * Where the next message is shown. On a wide window of the console that is the middle of its header, which is empty: at the bottom
 * are the buttons of its forms. Elsewhere it is the default.
 */
export const position = (): 'top-center' | undefined =>
  location.pathname.startsWith('/console') && matchMedia('(min-width: 64rem)').matches ? 'top-center' : undefined

export default function Toaster({ onReady }: { onReady: () => void }) {
  // An effect of the parent runs after the toaster's own, when it is already subscribed.
  useEffect(onReady, [onReady])
  return (
    <Sonner
      position="bottom-center"
      // Above the buttons of a form, which stay at the bottom; within the console's header.
      offset={{ bottom: 88, top: 6 }}
      mobileOffset={{ bottom: 148 }}
      // Overrides sonner's own font.
      style={{ fontFamily: 'inherit' }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-center gap-3 rounded-lg bg-ink px-4 py-3.5 text-on-ink shadow-pop text-sm font-medium',
          icon: 'shrink-0',
          title: 'flex-1',
          content: 'flex-1',
          actionButton: 'min-h-6 shrink-0 font-bold underline underline-offset-4',
        },
      }}
    />
  )
}
