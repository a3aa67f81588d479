// Completions of a search term from the search engine (also of partial Hangul, initials and typos).
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'

/** Debounce of typing. */
const PATIENCE_MS = 150
const NONE: readonly string[] = []

/** The text with its last word completed, most likely first; empty for an empty text. */
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
