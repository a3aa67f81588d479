// The cache of what the server has answered, and what happens when nobody on the screen handles a failed call.
import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import { toApiError } from './errors'
import { notifyUser } from './notify'

const MINUTE_MS = 60_000
const GIVES_UP = [400, 401, 403, 404, 409, 422]

/** The server's message or the error's own (spec V224). 400 and 422 belong to the form that sent them (V219); nothing is said twice. */
function toastUnhandled(thrown: unknown): void {
  const error = toApiError(thrown)
  if (error.alerted || error.status === 400 || error.status === 422) return
  notifyUser(error.message)
}

/** For reads whose failure everybody hears of (spec V217); others are told by their screen, or not at all. */
export const TOAST_ON_ERROR = { loud: true } as const

/**
 * Also a first read that is under way when it is invalidated is asked anew: it may have begun before the command and would say what
 * was before it. (Left to itself the library waits for such a read, and takes it for new.)
 */
export class AppQueryClient extends QueryClient {
  override invalidateQueries<K extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
      if (query.state.data !== undefined) continue
      const old = () => query.invalidate()
      if (query.isActive()) void query.cancel({ silent: true })
      else void query.promise?.then(old, old)
    }
    return super.invalidateQueries(filters, options)
  }
}

/** One for the whole app; loaders use `queryClient.ensureQueryData(…)`. A mutation with `meta: { quiet: true }` tells its failures itself. */
export const queryClient = new AppQueryClient({
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
      if (query.meta?.loud === true) toastUnhandled(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (mutation.meta?.quiet !== true) toastUnhandled(error)
    },
  }),
})
