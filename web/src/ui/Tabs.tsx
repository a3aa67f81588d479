// Panels behind tabs on one page; arrow keys move between them.
import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { cn } from '../lib/cn'

export type Tab = { value: string; label: string; count?: number; content: ReactNode }

const BAR = 'flex gap-6 overflow-x-auto border-line border-b'
const TAB =
  '-mb-px flex h-12 shrink-0 items-center gap-1.5 border-transparent border-b-2 font-medium text-ink-3 transition-colors hover:text-ink focus-visible:outline-offset-[-2px]'

type TabsProps = {
  label: string
  tabs: readonly Tab[]
  value?: string
  defaultValue?: string
  onValue?: (value: string) => void
  className?: string
}

export function Tabs({ label, tabs, value, defaultValue = tabs[0]?.value, onValue, className }: TabsProps) {
  return (
    <Radix.Root
      value={value}
      defaultValue={value === undefined ? defaultValue : undefined}
      onValueChange={onValue}
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

/** The same look for tabs that are pages of their own. */
export function TabLinks({
  label,
  tabs,
  className,
}: {
  label: string
  tabs: readonly { to: string; label: string; count?: number; end?: boolean }[]
  className?: string
}) {
  return (
    <nav aria-label={label} className={cn(BAR, className)}>
      {tabs.map((tab) => (
        <NavLink
          key={tab.to}
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
