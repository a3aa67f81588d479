// Which pages the app has. The table of pages belongs to the app, which nobody may import; it says here how to ask it.

let knows: (href: string) => boolean = () => true

/** Called once by the app. */
export function registerRouteLookup(how: (href: string) => boolean): void {
  knows = how
}

/** Does a page stand at this address? A link to one that does not is left out. */
export const routeExists = (href: string): boolean => knows(href)
