// The cache of what the server has answered, and what happens when nobody on the screen handles a failed call.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { alertReader } from './alerts'
import { toApiError } from './errors'

const MINUTE_MS = 60_000
const GIVES_UP = [400, 401, 403, 404, 409, 422]

/** 400 and 422 belong to the form that sent them (spec V219); what has been alerted is not said twice. */
function tellUnhandled(thrown: unknown): void {
  const error = toApiError(thrown)
  if (error.alerted || error.status === 400 || error.status === 422) return
  alertReader(error.message)
}

/** For reads whose failure everybody hears of (spec V217); others are told by their screen, or not at all. */
export const LOUD = { loud: true } as const

/** One for the whole app; loaders use `queryClient.ensureQueryData(…)`. A mutation with `meta: { quiet: true }` tells its failures itself. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a connection a call fails and says so, instead of waiting for one without a word.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: MINUTE_MS / 2,
      retry: (count, error) => count < 2 && !GIVES_UP.includes(toApiError(error).status),
      refetchOnWindowFocus: false,
    },
  },
  queryCache: new QueryCache({
    onError: (error, query) => {
      if (query.meta?.loud === true) tellUnhandled(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (mutation.meta?.quiet !== true) tellUnhandled(error)
    },
  }),
})
