// What was asked about a product, and asking.
import { keepPreviousData } from '@tanstack/react-query'
import { MessageCircleQuestion } from 'lucide-react'
import { useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { UserType } from '../../api/session'
import { useDiscardGuard } from '../../features/forms/unsaved'
import { INQUIRES } from '../../features/inquiries/api'
import { InquireForm } from '../../features/inquiries/InquireForm'
import { InquireItem } from '../../features/inquiries/InquireItem'
import { LoginGateDialog } from '../../features/login/LoginGateDialog'
import { Button } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import { PagedList } from '../../ui/PagedList'
import { EmptyState, Skeleton } from '../../ui/states'

const SIZE = 10
/** Staff answers. */
const ASKERS: readonly UserType[] = ['PERSON', 'COMPANY']

export default function Inquiries({ product, name }: { product: string; name: string }) {
  const [page, setPage] = useState(1)
  const [open, setOpen] = useState(false)
  const [asking, setAsking] = useState(false)
  const { onDirty, guardedClose } = useDiscardGuard(() => setAsking(false))
  const inquiries = useApiQuery(
    INQUIRES,
    { query: { _product: product, public: open || undefined }, headers: paged(page, SIZE) },
    { placeholderData: keepPreviousData },
  )
  const ask = (
    <Button variant="outline" onClick={() => setAsking(true)}>
      상품 문의하기
    </Button>
  )
  const isEmpty = inquiries.data?.summary.totalCount === 0 && !open
  return (
    <div>
      <h2 className="sr-only">상품 문의</h2>
      {inquiries.data && !isEmpty && (
        <div className="flex flex-wrap items-center justify-between gap-3 border-line border-b pb-4">
          <Checkbox
            label="비밀글 제외"
            checked={open}
            onChange={(event) => {
              setOpen(event.target.checked)
              setPage(1)
            }}
          />
          {ask}
        </div>
      )}
      <PagedList
        query={inquiries}
        label="문의 페이지"
        page={page}
        size={SIZE}
        onPage={setPage}
        skeletonClass="grid gap-3"
        skeleton={
          <>
            <Skeleton className="h-14 rounded-lg" />
            <Skeleton className="h-14 rounded-lg" />
          </>
        }
        empty={
          isEmpty ? (
            <EmptyState
              icon={<MessageCircleQuestion />}
              title="아직 문의가 없습니다"
              text="사이즈나 입고 일정처럼 궁금한 점을 판매자에게 물어보세요."
              action={ask}
            />
          ) : (
            <EmptyState icon={<MessageCircleQuestion />} title="공개된 문의가 없습니다" text="비밀글만 있습니다." />
          )
        }
      >
        {(answer) => (
          <ul className="divide-y divide-line border-line border-b">
            {answer.inquires.map((inquire) => (
              <InquireItem key={inquire._id} inquire={inquire} />
            ))}
          </ul>
        )}
      </PagedList>
      <LoginGateDialog
        open={asking}
        onOpenChange={(open) => !open && guardedClose()}
        title="상품 문의"
        description={name}
        userTypes={ASKERS}
      >
        <InquireForm product={product} onDone={() => setAsking(false)} onDirty={onDirty} />
      </LoginGateDialog>
    </div>
  )
}
