// The fields above a list that apply when they are submitted.
import type { ReactNode } from 'react'

type SearchFormProps = {
  /** What was typed, by the fields' names; nothing for an empty field. */
  onSearch: (typed: Record<string, string | undefined>) => void
  className?: string
  children: ReactNode
}

export const SearchForm = ({ onSearch, className, children }: SearchFormProps) => (
  <form
    className={className}
    onSubmit={(event) => {
      event.preventDefault()
      const typed = [...new FormData(event.currentTarget)]
      onSearch(Object.fromEntries(typed.map(([name, text]) => [name, String(text).trim() || undefined])))
    }}
  >
    {children}
  </form>
)
