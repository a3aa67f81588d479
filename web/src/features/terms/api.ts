// Terms of the shop by code.
import { useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'

export type TermsDoc = components['schemas']['TermsAnswer']['terms']

export const useTerms = (code: string) =>
  useApiQuery('/api/v1/terms/{code}', { path: { code } }, { staleTime: 300_000, retry: false })
