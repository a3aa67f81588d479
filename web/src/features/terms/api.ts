// Terms of the shop by their code.
import { useApiQuery } from '../../api/query'

export type TermsDoc = {
  _id: string
  code: string
  name: string
  content: string
  edition?: number
  startsAt?: string | null
}

export const useTerms = (code: string) =>
  useApiQuery<{ terms: TermsDoc }>('/api/v1/terms/{code}', { path: { code } }, { staleTime: 300_000, retry: false })
