// Saved views: named filters of a list, private or shared, as tabs over the list.

import { useQueryClient } from '@tanstack/react-query'
import { BookmarkPlus, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { apiQueryKey, useApiQuery } from '../../api/query'
import type { components } from '../../api/schema.gen'
import { useSession } from '../../api/session'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { Button, IconButton } from '../../ui/Button'
import { confirmDialog } from '../../ui/confirm'
import { optional } from '../../ui/Optional'
import { toast } from '../../ui/toast'
import { crudWords } from './words'

const k = crudWords

/** Loaded when a view is saved. */
const NameDialog = optional(() => import('./NameDialog'), {
  onFail: ({ onClose }) => {
    void toast(ko.state.network, { tone: 'error' })
    onClose()
  },
})
const PATH = '/api/console/views'

type View = components['schemas']['ViewsAnswer']['views'][number]

type ListProps = {
  /** Name of the list. */
  page: string
  /** Its filters as a query string. */
  remembered: string
}

type SavedViewsProps = ListProps & {
  /** The list's address. */
  address: string
  /** The columns of the current view; undefined: the user's own. */
  onColumns: (columns: readonly string[] | undefined) => void
}

/** Whether both have the same filters, in any order. */
const isSame = (one: string, other: string): boolean => {
  const sorted = (query: string) => {
    const params = new URLSearchParams(query)
    params.sort()
    return params.toString()
  }
  return sorted(one) === sorted(other)
}

/** Tabs of the saved views. */
function useViews({ page, remembered }: ListProps) {
  const { data } = useApiQuery(PATH, { query: { page } }, { retry: false })
  const views = data?.views ?? []
  const fitting = views.filter((view) => isSame(view.query, remembered))
  return { views, current: fitting.find((view) => view.mine) ?? fitting[0] }
}

function useRefresh() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: apiQueryKey(PATH).slice(0, 2) })
}

export function SavedViews({ page, address, remembered, onColumns }: SavedViewsProps) {
  const navigate = useNavigate()
  const refresh = useRefresh()
  const { views, current } = useViews({ page, remembered })
  const own = current?.columns.length ? current.columns : undefined
  const showColumns = useEffectEvent(() => onColumns(own))
  // The address determines the current view, regardless of the navigation.
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on the view only
  useEffect(() => showColumns(), [current?._id])
  const open = (view: View | undefined) => navigate(view?.query ? `${address}?${view.query}` : address)
  const remove = async (view: View) => {
    if (!(await confirmDialog({ title: k.removeViewAsk(view.name), yes: ko.action.remove, danger: true }))) return
    await call('DELETE', `${PATH}/{id}`, { path: { id: view._id } }).catch((thrown: unknown) =>
      toast(toApiError(thrown).told, { tone: 'error' }),
    )
    void refresh()
  }
  if (views.length === 0) return null
  return (
    <nav aria-label={k.views} className="mt-4 flex items-center gap-1 overflow-x-auto border-line border-b">
      <Tab label={k.allRows} on={remembered === ''} onClick={() => void open(undefined)} />
      {views.map((view) => (
        <span key={view._id} className="flex items-center">
          <Tab label={view.name} on={view === current} onClick={() => void open(view)} />
          {view === current && view.mine && (
            <IconButton size="sm" label={k.removeView(view.name)} onClick={() => void remove(view)}>
              <X aria-hidden />
            </IconButton>
          )}
        </span>
      ))}
    </nav>
  )
}

/** Saves the current filters as a view. Always rendered, so that the list does not move. */
export function SaveView({ page, remembered, columns }: ListProps & { columns: readonly string[] }) {
  const refresh = useRefresh()
  const { current } = useViews({ page, remembered })
  const [naming, setNaming] = useState(false)
  const isStaff = useSession((s) => s.payload?.scope.includes('console')) ?? false
  const needless = remembered === '' ? k.nothingToSave : current && k.savedAlready(current.name)
  return (
    <>
      <Button variant="outline" onClick={() => (needless ? void toast(needless) : setNaming(true))}>
        <BookmarkPlus aria-hidden />
        <span className="max-sm:sr-only">{k.saveView}</span>
      </Button>
      {naming && (
        <NameDialog
          mayShare={isStaff}
          onClose={() => setNaming(false)}
          onSave={async (name, shared) => {
            await call('POST', PATH, { body: { page, name, query: remembered, columns: [...columns], shared } })
            void toast(k.viewSaved, { tone: 'success' })
            await refresh()
          }}
        />
      )}
    </>
  )
}

const Tab = ({ label, on, onClick }: { label: string; on: boolean; onClick: () => void }) => (
  <button
    type="button"
    aria-current={on ? 'page' : undefined}
    onClick={onClick}
    className={cn(
      '-mb-px h-11 shrink-0 whitespace-nowrap border-b-2 px-3 text-sm focus-visible:outline-offset-[-2px]',
      on ? 'border-ink font-bold text-ink' : 'border-transparent text-ink-3 hover:text-ink',
    )}
  >
    {label}
  </button>
)
