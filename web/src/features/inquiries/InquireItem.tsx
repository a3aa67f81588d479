// An inquiry in a list, which expands to the question and its answer. Secret ones of other members stay closed.
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Inquire } from '../../api/types'
import { Badge } from '../../ui/Badge'
import { DateText } from '../../ui/DateText'

const State = ({ inquire }: { inquire: Inquire }) =>
  inquire.state === 'ANSWER_COMPLETE' ? <Badge tone="good">답변완료</Badge> : <Badge>답변대기</Badge>

function Line({ inquire, about }: { inquire: Inquire; about?: string }) {
  const shut = !inquire.readable
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
      <State inquire={inquire} />
      <span className="flex min-w-0 flex-1 basis-52 items-center gap-1.5">
        {inquire.secret && <Lock aria-label="비밀글" className="size-4 shrink-0 text-ink-3" />}
        <span className={shut ? 'text-ink-3' : 'truncate font-medium'}>
          {shut ? '비밀글입니다.' : (inquire.subject ?? '탈퇴한 회원의 문의입니다.')}
        </span>
      </span>
      <span className="figures text-ink-3 text-sm">
        {about ?? (inquire.mine ? '내 문의' : (inquire.author ?? '탈퇴한 회원'))} ·{' '}
        <DateText value={inquire.createdAt} />
      </span>
    </span>
  )
}

/** The question and its answer. */
export function InquireText({ inquire }: { inquire: Inquire }) {
  return (
    <div className="grid gap-3">
      <p className="whitespace-pre-line break-words text-ink">{inquire.content ?? '탈퇴한 회원의 문의입니다.'}</p>
      {inquire.reply ? (
        <div className="rounded-lg bg-sunken p-4">
          <p className="flex items-center gap-2 font-semibold text-ink text-sm">
            답변
            {inquire.repliedAt && <DateText value={inquire.repliedAt} className="figures font-normal text-ink-3" />}
          </p>
          <p className="mt-1 whitespace-pre-line break-words text-ink-2">{inquire.reply}</p>
        </div>
      ) : (
        <p className="text-ink-3 text-sm">판매자가 답변을 준비하고 있습니다.</p>
      )}
    </div>
  )
}

type InquireItemProps = {
  inquire: Inquire
  /** Shown instead of the author: the product, in a list of one's own inquiries. */
  about?: string
  actions?: ReactNode
}

export function InquireItem({ inquire, about, actions }: InquireItemProps) {
  if (!inquire.readable) {
    return (
      <li className="flex py-4">
        <Line inquire={inquire} />
      </li>
    )
  }
  return (
    <li>
      <details className="group">
        <summary className="flex cursor-pointer list-none items-center py-4 [&::-webkit-details-marker]:hidden">
          <Line inquire={inquire} about={about} />
        </summary>
        <div className="pb-5">
          <InquireText inquire={inquire} />
          {actions && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
        </div>
      </details>
    </li>
  )
}
