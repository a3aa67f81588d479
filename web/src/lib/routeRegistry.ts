// Whether a page exists. The route table belongs to the app, which registers the lookup here for code that may not import it.

let knows: (href: string) => boolean = () => true

/** Registered once by the app. */
export function registerRouteLookup(how: (href: string) => boolean): void {
  knows = how
}

/** Links to pages that do not exist are omitted. */
export const routeExists = (href: string): boolean => knows(href)
