// What a shopper may be about to type, as the search engine knows it (Korean parts, initials and misspelt words, too).
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'

/** So long nobody types before the server is asked. */
const PATIENCE_MS = 150
const NONE: readonly string[] = []

/** The text with its last word finished, the likeliest first; none for an empty text. */
export function useSuggestions(typed: string): readonly string[] {
  const text = typed.trim()
  const [sought, setSought] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSought(text), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useApiQuery(
    '/api/v1/shop/products',
    { query: { searchValue: sought }, headers: paged(1, 1) },
    { enabled: sought !== '', placeholderData: keepPreviousData, retry: false },
  )
  return (text !== '' && sought !== '' && data?.suggestions) || NONE
}
