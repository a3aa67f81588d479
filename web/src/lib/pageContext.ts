// The entity a page shows: its name is the title of the tab and the last breadcrumb. Other pages have the route's title.
import { useEffect } from 'react'
import { create } from 'zustand'
import { ko } from '../i18n/ko'

/** `로드 바이크 | 장부`. */
export function setTitle(title: string): void {
  document.title = title === ko.shop.name ? title : `${title} | ${ko.shop.name}`
}

/** Name of the entity, and the address of the parent page where it does not follow from the path. */
export type PageContext = { name?: string; under?: string }

export const usePageContext = create<PageContext>(() => ({}))

/** Sets the title once it is known; undefined leaves the route's. */
export function useTitle(title: string | undefined, under?: string): void {
  useEffect(() => {
    if (!title) return
    setTitle(title)
    usePageContext.setState({ name: title, under })
    return () => usePageContext.setState({ name: undefined, under: undefined })
  }, [title, under])
}
