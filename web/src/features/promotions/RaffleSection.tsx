// The raffle of an event: entering it, the member's number, and once it is over the winning numbers and a check of the draw.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../api/client'
import { apiQueryKey } from '../../api/query'
import { useIdempotentSend } from '../../api/sendOnce'
import { useSession } from '../../api/session'
import { Button, ButtonLink } from '../../ui/Button'
import { DateText, TimeLeft } from '../../ui/DateText'
import { Notice } from '../../ui/Notice'
import { Section } from '../../ui/Section'
import { toast } from '../../ui/toast'
import { type CheckResult, checkDraw, loadMarks, type Raffle } from './raffleCheck'

const ENTER = '/api/v1/me/events/{id}/entry'
const EVENT = '/api/v1/shop/events/{id}'

type RaffleProps = { id: string; endsAt: string | null | undefined; ended: boolean; raffle: Raffle; at: string }

export function RaffleSection({ id, endsAt, ended, raffle, at }: RaffleProps) {
  const { mine, draw, prize } = raffle
  return (
    <Section title="추첨" className="mt-12">
      <div className="rounded-lg border border-line p-5 md:p-7">
        <dl className="figures grid grid-cols-2 gap-5 md:grid-cols-4">
          <Figure label="당첨자">{raffle.winners.toLocaleString('ko')}명</Figure>
          <Figure label="응모">{raffle.entries.toLocaleString('ko')}건</Figure>
          <Figure label={ended ? '마감' : '남은 시간'}>
            {endsAt && (ended ? <DateText value={endsAt} style="datetime" folds /> : <TimeLeft until={endsAt} />)}
          </Figure>
          {prize && <Figure label="당첨 쿠폰">{prize}</Figure>}
        </dl>
        <div className="mt-6 grid gap-4">
          {mine && <Mine number={mine.number} won={mine.won} drawn={!!draw} />}
          {!mine && !ended && <Enter id={id} at={at} />}
          {!mine && ended && <Notice>응모가 끝났습니다.</Notice>}
          {ended && !draw && <p className="text-ink-2">곧 당첨 번호를 추첨합니다. 잠시 뒤에 다시 확인해 주세요.</p>}
          {draw && <Drawn id={id} raffle={raffle} draw={draw} />}
        </div>
        <p className="mt-6 text-ink-2 text-sm">
          응모는 회원마다 한 번이며, 응모자는 번호로만 표시합니다. 추첨에 쓸 비밀 값의 지문은 응모를 받기 전에
          공개합니다.
        </p>
        <Hash label="추첨 지문(SHA-256)" value={raffle.commitment} />
      </div>
    </Section>
  )
}

const Figure = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-ink-2 text-sm">{label}</dt>
    <dd className="wrap-anywhere mt-1 font-bold text-lg">{children}</dd>
  </div>
)

const Hash = ({ label, value }: { label: string; value: string }) => (
  <p className="mt-2 text-ink-2 text-sm">
    {label} <code className="figures wrap-anywhere">{value}</code>
  </p>
)

function Mine({ number, won, drawn }: { number: number; won: boolean; drawn: boolean }) {
  const mine = <b className="figures">{number}번</b>
  if (!drawn) return <Notice tone="good">응모했습니다. 응모 번호는 {mine}입니다.</Notice>
  if (won) return <Notice tone="good">축하합니다! 응모 번호 {mine}이 당첨되었습니다.</Notice>
  return <Notice>응모 번호 {mine}은 당첨되지 않았습니다.</Notice>
}

function Enter({ id, at }: { id: string; at: string }) {
  const isMember = useSession((s) => s.payload !== undefined)
  const queryClient = useQueryClient()
  const sendOnce = useIdempotentSend()
  const enter = useMutation({
    mutationFn: () => sendOnce({ id }, (headers) => call('POST', ENTER, { path: { id }, headers })),
    onSuccess: ({ entry }) => void toast(`응모했습니다. 응모 번호는 ${entry.number}번입니다.`, { tone: 'success' }),
    // Even when it was refused, the raffle has changed: it is over, or hidden.
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiQueryKey(EVENT).slice(0, 2) }),
  })
  if (!isMember)
    return (
      <ButtonLink to={`/login?next=${encodeURIComponent(at)}`} className="justify-self-start">
        로그인하고 응모하기
      </ButtonLink>
    )
  return (
    <Button className="justify-self-start" busy={enter.isPending} onClick={() => enter.mutate()}>
      응모하기
    </Button>
  )
}

const TOLD: Record<CheckResult, { tone: 'good' | 'bad'; text: string }> = {
  right: { tone: 'good', text: '확인했습니다. 처음에 공개한 지문과 맞는 값으로, 모든 응모에서 바르게 추첨했습니다.' },
  seed: { tone: 'bad', text: '공개한 비밀 값이 처음에 공개한 지문과 맞지 않습니다.' },
  chain: { tone: 'bad', text: '응모 목록이 추첨에 쓴 목록과 맞지 않습니다.' },
  winners: { tone: 'bad', text: '당첨 번호가 계산한 번호와 다릅니다.' },
}

function Drawn({ id, raffle, draw }: { id: string; raffle: Raffle; draw: NonNullable<Raffle['draw']> }) {
  const [told, setTold] = useState<CheckResult>()
  const check = useMutation({
    mutationFn: async () => checkDraw(raffle, await loadMarks(id, raffle.entries)),
    onSuccess: setTold,
  })
  return (
    <div className="grid gap-4">
      <div>
        <h3 className="font-bold">당첨 번호</h3>
        {draw.winners.length === 0 ? (
          <p className="mt-2 text-ink-2">응모가 없어 당첨자 없이 마쳤습니다.</p>
        ) : (
          <ul className="figures mt-2 flex max-h-60 flex-wrap gap-2 overflow-y-auto">
            {draw.winners.map((number) => (
              <li key={number} className="rounded-md bg-sunken px-3 py-1.5 font-bold">
                {number}
              </li>
            ))}
          </ul>
        )}
        {draw.passed.length > 0 && (
          <p className="mt-2 text-ink-2 text-sm">
            탈퇴한 회원의 번호({draw.passed.join(', ')})는 건너뛰고 다음 순위가 당첨되었습니다.
          </p>
        )}
      </div>
      <Hash label="공개한 비밀 값" value={draw.seed} />
      <Button variant="outline" className="justify-self-start" busy={check.isPending} onClick={() => check.mutate()}>
        추첨 확인하기
      </Button>
      <div aria-live="polite">{told && <Notice tone={TOLD[told].tone}>{TOLD[told].text}</Notice>}</div>
    </div>
  )
}
