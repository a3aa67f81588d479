// The title of the browser's tab. The route table gives a page's name; a page about one thing sets that thing's.
import { useEffect } from 'react'
import { create } from 'zustand'
import { ko } from '../i18n/ko'

/** `로드 바이크 | 장부`. */
export function setTitle(title: string): void {
  document.title = title === ko.shop.name ? title : `${title} | ${ko.shop.name}`
}

/** What a page is about, and the address of the page it stands under where its own does not tell. */
export type PageContext = { name?: string; under?: string }

/** What the page on show is about, once it knows. */
export const usePageContext = create<PageContext>(() => ({}))

/** Sets the title once the page knows what it is about; undefined leaves the table's. */
export function useTitle(title: string | undefined, under?: string): void {
  useEffect(() => {
    if (!title) return
    setTitle(title)
    usePageContext.setState({ name: title, under })
    return () => usePageContext.setState({ name: undefined, under: undefined })
  }, [title, under])
}
