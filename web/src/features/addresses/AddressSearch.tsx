// 우편번호 찾기: a dialog over the form, so that its input is kept. Search and select; the caller continues with the details.
import { MapPin, SearchX } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ko } from '../../i18n/ko'
import { grouped } from '../../i18n/number'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { PagedList } from '../../ui/PagedList'
import { EmptyState, Skeleton } from '../../ui/states'
import { ADDRESS_PAGE, type Address, useAddresses } from './api'

type AddressSearchProps = { open: boolean; onOpenChange: (open: boolean) => void; onPick: (address: Address) => void }

export function AddressSearch({ open, onOpenChange, onPick }: AddressSearchProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="주소 찾기">
      {open && (
        <AddressFinder
          onPick={(address) => {
            onPick(address)
            onOpenChange(false)
          }}
        />
      )}
    </Dialog>
  )
}

function AddressFinder({ onPick }: { onPick: (address: Address) => void }) {
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const [page, setPage] = useState(1)
  const addresses = useAddresses(asked, page)
  const search = (event: FormEvent) => {
    event.preventDefault()
    // The checkout form behind the dialog would be submitted too.
    event.stopPropagation()
    setAsked(typed.trim())
    setPage(1)
  }
  return (
    <>
      <form onSubmit={search} className="flex items-end gap-2">
        <Field label="도로명과 건물번호, 동 이름이나 우편번호" className="min-w-0 flex-1">
          <Input
            autoFocus
            placeholder="예: 세종대로 110"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <Button type="submit" busy={addresses.isFetching} disabled={typed.trim().length < 2}>
          {ko.action.search}
        </Button>
      </form>
      <div aria-live="polite" className="mt-5 min-h-60">
        {asked === '' ? (
          <ul className="grid gap-1.5 rounded-md bg-sunken px-4 py-4 text-ink-2 text-sm">
            <li>도로명 + 건물번호: 테헤란로 152</li>
            <li>동 이름: 역삼동</li>
            <li>우편번호: 06236</li>
          </ul>
        ) : (
          <PagedList
            query={addresses}
            label="주소 페이지"
            page={page}
            size={ADDRESS_PAGE}
            onPage={setPage}
            paginationClass="mt-4"
            skeletonClass="grid gap-2"
            skeleton={
              <>
                <Skeleton className="h-14" />
                <Skeleton className="h-14" />
                <Skeleton className="h-14" />
              </>
            }
            empty={
              <EmptyState
                icon={<SearchX />}
                title={`‘${asked}’에 맞는 주소가 없습니다`}
                text="건물번호를 빼거나 도로명만 입력해 보세요."
                className="py-10"
              />
            }
          >
            {(answer) => (
              <>
                <p className="figures mb-1 text-ink-3 text-sm">전체 {grouped(answer.summary.totalCount)}건</p>
                <ul className="divide-y divide-line border-line border-y">
                  {answer.addresses.map((address) => (
                    <li key={`${address.postcode}${address.address1}${address.lot ?? ''}`}>
                      <button
                        type="button"
                        onClick={() => onPick(address)}
                        className="flex w-full items-start gap-3 px-1 py-3 text-left hover:bg-sunken"
                      >
                        <MapPin aria-hidden className="mt-1 size-4.5 shrink-0 text-ink-3" />
                        <span className="min-w-0 flex-1">
                          <span className="block font-medium">{address.address1}</span>
                          {address.lot && <span className="block text-ink-3 text-sm">{address.lot}</span>}
                        </span>
                        <span className="figures shrink-0 text-accent-strong text-sm">{address.postcode}</span>
                      </button>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </PagedList>
        )}
      </div>
    </>
  )
}
