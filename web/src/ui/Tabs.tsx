// Panels behind tabs on one page; arrow keys move between them.
import { Tabs as Radix } from 'radix-ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { type To, useLocation } from 'react-router'
import { cn } from '../lib/cn'
import { scrollToCenter } from '../lib/scrollToCenter'
import { NavLink } from './Link'
import { useScrollEdges } from './useScrollEdges'

export type Tab = { value: string; label: string; count?: number; content: ReactNode }

const BAR = 'flex gap-6 overflow-x-auto border-line border-b'
const TAB =
  '-mb-px flex h-12 shrink-0 items-center gap-1.5 border-transparent border-b-2 font-medium text-ink-3 transition-colors hover:text-ink focus-visible:outline-offset-[-2px]'

type TabsProps = {
  label: string
  tabs: readonly Tab[]
  value?: string
  defaultValue?: string
  onValueChange?: (value: string) => void
  className?: string
}

export function Tabs({ label, tabs, value, defaultValue = tabs[0]?.value, onValueChange, className }: TabsProps) {
  return (
    <Radix.Root
      value={value}
      defaultValue={value === undefined ? defaultValue : undefined}
      onValueChange={onValueChange}
      className={className}
    >
      <Radix.List aria-label={label} className={BAR}>
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={cn(
              TAB,
              'data-[state=active]:border-ink data-[state=active]:font-bold data-[state=active]:text-ink',
            )}
          >
            {tab.label}
            {tab.count !== undefined && <span className="figures text-sm">{tab.count}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-6">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}

/** Width of the fade at an edge with more tabs beyond. */
const FADE = '2rem'

/** Centres the current tab of a bar, and returns the fade for edges with more tabs beyond. */
function useCurrentInSight(path: string, tabs: string) {
  const bar = useRef<HTMLElement>(null)
  const { left, right } = useScrollEdges(bar, tabs)
  // Counts that load later make tabs wider.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab and its position depend on these
  useEffect(() => {
    const current = bar.current?.querySelector('[aria-current=page]')
    if (bar.current && current) scrollToCenter(bar.current, current)
  }, [path, tabs])
  const stops = [
    left ? `transparent, black ${FADE}` : 'black',
    right ? `black calc(100% - ${FADE}), transparent` : 'black',
  ]
  return { bar, style: { maskImage: left || right ? `linear-gradient(to right, ${stops.join()})` : undefined } }
}

/** The same look for tabs that are links. The current one is scrolled into view. */
export function TabLinks({
  label,
  tabs,
  className,
}: {
  label: string
  tabs: readonly { to: To; label: string; count?: number; end?: boolean }[]
  className?: string
}) {
  const { pathname } = useLocation()
  const { bar, style } = useCurrentInSight(pathname, tabs.map((tab) => `${tab.label} ${tab.count}`).join())
  return (
    <nav ref={bar} aria-label={label} style={style} className={cn(BAR, className)}>
      {tabs.map((tab) => (
        <NavLink
          key={tab.label}
          to={tab.to}
          end={tab.end}
          className={cn(
            TAB,
            'aria-[current=page]:border-ink aria-[current=page]:font-bold aria-[current=page]:text-ink',
          )}
        >
          {tab.label} {tab.count !== undefined && <span className="figures text-sm">{tab.count}</span>}
        </NavLink>
      ))}
    </nav>
  )
}
