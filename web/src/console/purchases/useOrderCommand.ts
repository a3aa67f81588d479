// A form that sends one command on an order.
import { useQueryClient } from '@tanstack/react-query'
import { type Form, type FormOptions, useForm } from '../../features/forms/useForm'
import { toast } from '../../ui/toast'
import { invalidateOrder } from './invalidateOrder'

type OrderCommandOptions<V extends object, A> = FormOptions<V, A> & {
  /** Message shown on success. */
  done: string
}

/** Invalidates the order, also after a refusal: then the screen is out of date. */
export function useOrderCommand<V extends object, A>({
  done,
  send,
  onSent,
  ...options
}: OrderCommandOptions<V, A>): Form<V> {
  const client = useQueryClient()
  return useForm<V, A>({
    ...options,
    send: (values) =>
      send(values).catch((thrown: unknown) => {
        void invalidateOrder(client)
        throw thrown
      }),
    onSent: async (answer) => {
      void toast(done, { tone: 'success' })
      const reading = invalidateOrder(client)
      await onSent?.(answer)
      return reading
    },
  })
}
