// Coupons that members have (spec R187): to give some, take one back, and change until when it can be used.
import { keepPreviousData } from '@tanstack/react-query'
import { Plus, Ticket } from 'lucide-react'
import { useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { Button, ButtonLink } from '../../ui/Button'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { Field } from '../../ui/Field'
import { Link } from '../../ui/Link'
import { Money } from '../../ui/Money'
import { EmptyState } from '../../ui/states'
import { lastDayOf, MemberName } from '../benefits/fields'
import { ListFilters, NoMatch, OnlyThese, useBenefitList } from '../benefits/ListFilters'
import type { UserCoupon, UserCouponState } from '../benefits/types'
import { ReferenceInput } from '../crud/inputs/ReferenceInput'
import { ListTable } from '../crud/ListTable'
import { PAGE_SIZE, useListState } from '../useListState'
import { CouponActions, CouponBadge, worthOf } from './cells'
import { GiveDialog, USER_COUPONS } from './commands'
import { Detail } from './Detail'
import { userCouponWords as t } from './words'

const STATES = Object.keys(t.states) as UserCouponState[]

const columns: readonly Column<UserCoupon>[] = [
  {
    id: 'member',
    header: t.columns.member,
    cell: (row) => <MemberName row={row} to={`/console/user-coupons?id=${row._id}`} />,
  },
  {
    id: 'coupon',
    header: t.columns.coupon,
    cell: (row) => (
      <Link
        to={`/console/shop/coupons?id=${row._coupon}`}
        className="wrap-anywhere underline underline-offset-2 hover:text-ink"
      >
        {row.couponName}
      </Link>
    ),
  },
  { id: 'worth', header: t.columns.worth, cell: (row) => <span className="figures">{worthOf(row)}</span> },
  { id: 'state', header: t.columns.state, cell: (row) => <CouponBadge state={row.state} /> },
  {
    id: 'issuedAt',
    header: t.columns.issuedAt,
    cell: (row) => <DateText value={row.issuedAt} className="figures text-ink-2" />,
  },
  {
    id: 'endsAt',
    header: t.columns.endsAt,
    cell: (row) =>
      row.endsAt ? (
        <DateText value={lastDayOf(row.endsAt)} className="figures text-ink-2" />
      ) : (
        <span className="text-ink-3">{t.noEnd}</span>
      ),
  },
  {
    id: 'use',
    header: t.columns.use,
    cell: (row) =>
      row._order && (
        <>
          <Link to={`/console/shop/orders/${row._order}`} className="figures underline underline-offset-2">
            {row.orderNo}
          </Link>
          {row.discount != null && (
            <p className="text-ink-3 text-xs">
              <Money amount={-row.discount} />
            </p>
          )}
        </>
      ),
  },
  { id: 'action', header: t.columns.action, align: 'right', cell: (row) => <CouponActions coupon={row} /> },
]

export function Component() {
  const { params } = useListState()
  const id = params.get('id')
  return id ? <Detail key={id} id={id} /> : <CouponList />
}

function CouponList() {
  const listing = useBenefitList(STATES, ['_coupon', '_order', '_grant'])
  const { page, shown, state, filters, isFiltered, clear, set } = listing
  const [giving, setGiving] = useState(false)
  const read = useApiQuery(
    USER_COUPONS,
    { query: listing.query, headers: paged(page, PAGE_SIZE) },
    { placeholderData: keepPreviousData },
  )
  const [title, text] = t.none
  const give = (
    <Button onClick={() => setGiving(true)}>
      <Plus aria-hidden />
      {t.give}
    </Button>
  )
  return (
    <main id="content">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-bold text-2xl">{t.title}</h1>
        <div className="flex flex-wrap gap-2 max-xs:w-full max-xs:[&>*]:flex-1">
          <ButtonLink
            to={`/console/shop/points?tab=coupons${filters._coupon ? `&_coupon=${filters._coupon}` : ''}`}
            variant="outline"
          >
            {t.giveMany}
          </ButtonLink>
          {give}
        </div>
      </div>
      <p className="mt-2 max-w-prose text-ink-2 text-sm">{t.lead}</p>
      <ListFilters listing={listing} state={state} states={STATES.map((value) => ({ value, label: t.states[value] }))}>
        <Field label={t.coupon}>
          <ReferenceInput
            kind="coupon"
            value={filters._coupon ?? ''}
            onValueChange={(id) => set({ _coupon: id || undefined })}
          />
        </Field>
      </ListFilters>
      {filters._grant && <OnlyThese what={t.onlyGrant} onClear={() => set({ _grant: undefined })} />}
      {filters._order && <OnlyThese what={t.onlyOrder} onClear={() => set({ _order: undefined })} />}
      <ListTable<UserCoupon>
        caption={t.title}
        columns={columns}
        {...shown(read, (answer) => answer.coupons)}
        isFetching={read.isPlaceholderData}
        rowId={(row) => row._id}
        empty={
          isFiltered ? (
            <NoMatch onClear={clear} />
          ) : (
            <EmptyState icon={<Ticket />} title={title} text={text} action={give} />
          )
        }
      />
      {giving && <GiveDialog coupon={filters._coupon} user={filters._user} onClose={() => setGiving(false)} />}
    </main>
  )
}
