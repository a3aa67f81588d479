// Calls and query hooks typed by the server's own document (openapi.json -> schema.gen.ts).
import createClient from 'openapi-fetch'
import createQueryHooks from 'openapi-react-query'
import { send } from './client'
import type { paths } from './schema.gen'

/** `const { data } = await api.GET('/api/v1/setting')`; refusals are thrown as ApiError, so `data` is there. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: send })

/** `$api.useQuery('get', '/api/v1/setting')`; keys are `['get', template, init]`, as everywhere. */
export const $api = createQueryHooks(api)
