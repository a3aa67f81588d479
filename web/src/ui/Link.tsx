// Links to pages of the app. The router's own `Link` includes prefetching and forms, which nothing here uses (2 KB of the
// first load); these use the hooks that it offers for custom links.
import type { ComponentProps } from 'react'
import { type To, useHref, useLinkClickHandler, useLocation, useResolvedPath } from 'react-router'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** A path of the app, never a full address (lib/links.ts). */
  to: To
  /** Replaces the current history entry. */
  replace?: boolean
  preventScrollReset?: boolean
}

/** Leaves clicks to the browser if they open a new tab or if `onClick` has prevented them. */
export function Link({ to, replace, preventScrollReset, onClick, ...rest }: LinkProps) {
  const href = useHref(to)
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, { replace, preventScrollReset, target: rest.target })
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
    />
  )
}

/** A link that is marked as the current page on its page and, without `end`, on those below it. */
export function NavLink({ end, ...rest }: LinkProps & { end?: boolean }) {
  const here = useLocation().pathname.toLowerCase()
  const page = useResolvedPath(rest.to).pathname.toLowerCase()
  const isCurrent = here === page || (!end && here.startsWith(`${page}/`))
  return <Link {...rest} aria-current={isCurrent ? 'page' : undefined} />
}
