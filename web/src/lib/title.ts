// The title of the browser's tab. The route table gives a page's name; a page about one thing sets that thing's.
import { useEffect } from 'react'
import { create } from 'zustand'
import { ko } from '../i18n/ko'

/** `로드 바이크 | 장부`. */
export function setTitle(title: string): void {
  document.title = title === ko.shop.name ? title : `${title} | ${ko.shop.name}`
}

/** What the page on show is about, once it knows. */
export const useThing = create<{ name?: string }>(() => ({}))

/** Sets the title once the page knows what it is about; undefined leaves the table's. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (!title) return
    setTitle(title)
    useThing.setState({ name: title })
    return () => useThing.setState({ name: undefined })
  }, [title])
}
