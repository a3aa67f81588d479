// Actions on the member's own inquiry: edit it until it is answered, and delete it.

import type { Inquire } from '../../api/types'
import { invalidateInquiries, MY_INQUIRES } from '../../features/inquiries/api'
import { Button, ButtonLink } from '../../ui/Button'
import { useDeleteWithUndo } from '../useDeleteWithUndo'

export function InquireActions({ inquire, onRemoved }: { inquire: Inquire; onRemoved?: () => void }) {
  const remove = useDeleteWithUndo(
    MY_INQUIRES,
    { removed: '문의를 삭제했습니다.', restored: '문의를 복원했습니다.' },
    invalidateInquiries,
  )
  return (
    <>
      {inquire.state === 'ANSWER_AWAITING' && (
        <ButtonLink to={`/mypage/inquiries/create/${inquire._id}`} variant="outline" size="sm">
          수정
        </ButtonLink>
      )}
      <Button
        variant="ghost"
        size="sm"
        className="first:-ml-3"
        busy={remove.isPending}
        onClick={() => remove.mutate(inquire._id, { onSuccess: onRemoved })}
      >
        삭제
      </Button>
    </>
  )
}
