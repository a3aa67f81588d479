// Labels and packing slips of selected purchases. Reading the receivers is recorded in each order, once for each print.
import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'react-router'
import { call } from '../../api/client'
import { idempotent } from '../../api/idempotency'
import { Button, ButtonLink } from '../../ui/Button'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import './print.css'
import { addressOf, Label, type ParcelSheet, Slip } from './Sheets'
import { statePath } from './states'
import { dispatchWords } from './words'

const t = dispatchWords.printed

type Selection = { purchaseNos: string[]; key: string }

export function Component() {
  const chosen = useLocation().state as Selection | null
  return (
    <main id="content">
      <h1 className="font-bold text-2xl">{t.title}</h1>
      {chosen?.purchaseNos?.length ? (
        <Prints chosen={chosen} />
      ) : (
        <EmptyState
          title={t.nothing}
          text={t.nothingText}
          action={
            <ButtonLink to={statePath('preparing')} variant="outline">
              {t.back}
            </ButtonLink>
          }
        />
      )}
    </main>
  )
}

function Prints({ chosen: { purchaseNos, key } }: { chosen: Selection }) {
  const [isLabels, setLabels] = useState(true)
  const { data, error, refetch } = useQuery({
    queryKey: ['dispatch-print', key],
    queryFn: () =>
      call('POST', '/api/console/shop/purchases/receivers', { headers: idempotent(key), body: { purchaseNos } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading>
        <Skeleton className="mt-5 h-80" />
      </Loading>
    )
  // A label without an address is no label.
  const parcels = isLabels ? data.parcels.filter(addressOf) : data.parcels
  const Sheet = isLabels ? Label : Slip
  return (
    <>
      <p className="mt-2 text-ink-2 text-sm">{t.lead}</p>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          variant={isLabels ? 'primary' : 'outline'}
          aria-pressed={isLabels}
          onClick={() => setLabels(true)}
        >
          {t.labels}
        </Button>
        <Button
          size="sm"
          variant={isLabels ? 'outline' : 'primary'}
          aria-pressed={!isLabels}
          onClick={() => setLabels(false)}
        >
          {t.slips}
        </Button>
        <Button size="sm" variant="outline" disabled={parcels.length === 0} onClick={() => window.print()}>
          <Printer aria-hidden />
          {t.go} · {t.count(parcels.length)}
        </Button>
      </div>
      {data.failed.length > 0 && (
        <div role="alert" className="mt-4 rounded-md bg-danger-soft px-4 py-3 text-danger text-sm">
          <p className="font-semibold">{t.without}</p>
          <ul>
            {data.failed.map(({ id, message }) => (
              <li key={id}>
                <span className="figures">{id}</span>: {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="mt-5 flex flex-wrap gap-4">
        {parcels.map((parcel) => (
          <div key={keyOf(parcel)} className={isLabels ? 'max-w-full overflow-x-auto' : 'w-full max-w-3xl border'}>
            <Sheet parcel={parcel} />
          </div>
        ))}
      </div>
      {createPortal(
        <div className="print-sheets" aria-hidden>
          {parcels.map((parcel) => (
            <Sheet key={keyOf(parcel)} parcel={parcel} />
          ))}
        </div>,
        document.body,
      )}
    </>
  )
}

const keyOf = ({ items, orderNo }: ParcelSheet): string => items[0]?.purchaseNo ?? orderNo
