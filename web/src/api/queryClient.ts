// The query cache, and toasts for failed calls that no screen handles.
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

/** The server's message or the error's own (spec V224). 400 and 422 belong to the form that sent them (V219); nothing is shown twice. */
function toastUnhandled(thrown: unknown): void {
  const error = toApiError(thrown)
  if (error.alerted || error.status === 400 || error.status === 422) return
  notifyUser(error.message)
}

/** Meta of queries whose failure is shown as a toast (spec V217); other failures are handled by their screen. */
export const TOAST_ON_ERROR = { toastOnError: true } as const

/**
 * Also restarts a first read that is in flight when it is invalidated: it may have begun before the command and would return the state
 * before it. (The library itself waits for such a read and treats it as fresh.)
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

/** The app's client; loaders use `queryClient.ensureQueryData(…)`. Mutations with `meta: { suppressToast: true }` show their own errors. */
export const queryClient = new AppQueryClient({
  defaultOptions: {
    // Offline, a call fails with an error instead of silently waiting for a connection.
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
      if (query.meta?.toastOnError === true) toastUnhandled(error)
    },
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => {
      if (mutation.meta?.suppressToast !== true) toastUnhandled(error)
    },
  }),
})
