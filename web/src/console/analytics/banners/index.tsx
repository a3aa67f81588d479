// Clicks on banners and popups.

import banner from 'virtual:resource/banner'
import { keepPreviousData } from '@tanstack/react-query'
import { MousePointerClick } from 'lucide-react'
import { paged } from '../../../api/client'
import { useApiQuery } from '../../../api/query'
import type { components } from '../../../api/schema.gen'
import { grouped } from '../../../i18n/number'
import { formatDate } from '../../../lib/date'
import type { Column } from '../../../ui/DataTable'
import { EmptyState } from '../../../ui/states'
import { ListTable } from '../../crud/ListTable'
import { optionLabel, valuesOf } from '../../crud/schema'
import { PeriodPicker, usePeriod } from '../../Period'
import { PAGE_SIZE, useListState } from '../../useListState'
import { bannerClickWords } from './words'

const t = bannerClickWords
const PLACES = valuesOf(banner, 'code')
type BannerClicks = components['schemas']['FollowedBanner']

/** Formats a Seoul day. */
const dayOf = (date: string): string => formatDate(`${date}T00:00:00+09:00`)

const columns: readonly Column<BannerClicks>[] = [
  {
    id: 'name',
    header: t.name,
    width: '45%',
    cell: ({ name, image }) => (
      <span className="flex items-center gap-3">
        {image?.url && (
          <span className="block size-11 shrink-0 overflow-hidden rounded-sm bg-picture">
            <img src={image.url} alt="" loading="lazy" className="size-full object-contain mix-blend-multiply" />
          </span>
        )}
        <span className="font-semibold">{name ?? t.gone}</span>
      </span>
    ),
  },
  { id: 'subject', header: t.subject, cell: ({ subject }) => t.subjects[subject] },
  {
    id: 'place',
    header: t.place,
    cell: ({ code, device }) =>
      [code && optionLabel(PLACES, code), device && t.devices[device]].filter(Boolean).join(' · ') || '-',
  },
  {
    id: 'days',
    header: t.best,
    cell: ({ days }) => {
      const best = days.reduce<BannerClicks['days'][number] | undefined>(
        (most, day) => (most && most.count >= day.count ? most : day),
        undefined,
      )
      return <span className="figures text-ink-2">{best ? t.times(dayOf(best.date), grouped(best.count)) : '-'}</span>
    },
  },
  {
    id: 'count',
    header: t.count,
    align: 'right',
    cell: (row) => <span className="figures">{grouped(row.count)}</span>,
  },
]

export function Component() {
  const { page, shown } = useListState()
  const period = usePeriod()
  const { from, to } = period
  const read = useApiQuery(
    '/api/console/analytics/banners',
    { query: { from, to }, headers: paged(page, PAGE_SIZE) },
    { placeholderData: keepPreviousData },
  )
  const { data } = read
  return (
    <main id="content">
      <h1 className="font-bold text-2xl">{t.title}</h1>
      <div className="mt-4 flex flex-wrap items-end gap-3">
        <p className="basis-full text-ink-2 text-sm" aria-live="polite">
          {data && data.summary.clicks > 0 && t.clicks(data.summary.clicks)}
        </p>
        <PeriodPicker {...period} />
      </div>
      <ListTable<BannerClicks>
        caption={t.title}
        columns={columns}
        {...shown(read, (answer) => answer.banners)}
        rowId={(row) => `${row.subject}/${row._id}`}
        empty={<EmptyState icon={<MousePointerClick />} title={t.none} text={t.noneText} />}
      />
    </main>
  )
}
