// Data changed by a command is read again after it, even if the very first read was in flight.
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { AppQueryClient } from './queryClient'

const KEY = ['get', '/api/v1/me/carts']

/** A server whose responses reflect the time of the request, and are returned when released. */
function slowServer() {
  const waiting: (() => void)[] = []
  const server = {
    stands: 'before',
    read: () => {
      const said = server.stands
      return new Promise<string>((answer) => waiting.push(() => answer(said)))
    },
    answersAll: () => {
      for (const answer of waiting.splice(0)) answer()
    },
    get asked() {
      return waiting.length
    },
  }
  return server
}

it('shows the state after a command, though the first read began before it', async () => {
  const [client, server] = [new AppQueryClient(), slowServer()]
  const Page = () => <p>{useQuery({ queryKey: KEY, queryFn: server.read }).data ?? 'nothing'}</p>
  render(
    <QueryClientProvider client={client}>
      <Page />
    </QueryClientProvider>,
  )
  const early = client.fetchQuery({ queryKey: KEY, queryFn: server.read })
  server.stands = 'after'
  const read = client.invalidateQueries({ queryKey: KEY.slice(0, 2) })
  expect(server.asked).toBe(2)
  act(server.answersAll)
  await act(() => read)
  expect(await screen.findByText('after')).toBeTruthy()
  // callers that waited for the first read get the new data
  expect(await early).toBe('after')
})

it('treats the response to an early read without observers as stale', async () => {
  const [client, server] = [new AppQueryClient(), slowServer()]
  const early = client.fetchQuery({ queryKey: KEY, queryFn: server.read })
  await client.invalidateQueries({ queryKey: KEY })
  server.answersAll()
  expect(await early).toBe('before')
  await Promise.resolve()
  expect(client.getQueryState(KEY)?.isInvalidated).toBe(true)
})
