// What a command changed is read after it, also where the very first read was already under way.
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { AppQueryClient } from './queryClient'

const KEY = ['get', '/api/v1/me/carts']

/** A server whose answers say how things stood when they were asked for, and come when they are let. */
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

it('shows what is there after a command, though the first read began before it', async () => {
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
  // who waited for the first read gets the new one
  expect(await early).toBe('after')
})

it('takes the answer to an early read that nobody looks at for old', async () => {
  const [client, server] = [new AppQueryClient(), slowServer()]
  const early = client.fetchQuery({ queryKey: KEY, queryFn: server.read })
  await client.invalidateQueries({ queryKey: KEY })
  server.answersAll()
  expect(await early).toBe('before')
  await Promise.resolve()
  expect(client.getQueryState(KEY)?.isInvalidated).toBe(true)
})
