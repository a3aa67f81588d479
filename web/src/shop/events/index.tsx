// The ongoing and the ended events, and the exhibitions (R091, R093, R096).
import { Gift } from 'lucide-react'
import { useLocation } from 'react-router'
import { type PromotionCard, useEvents, useExhibitions } from '../../features/promotions/api'
import { ButtonLink } from '../../ui/Button'
import { Link } from '../../ui/Link'
import { Picture } from '../../ui/Picture'
import { EmptyState } from '../../ui/states'
import { EndedBadge, EventFrame, Loaded, Period } from './parts'

const LISTS = {
  ongoing: {
    lead: '지금 참여할 수 있는 이벤트입니다.',
    empty: '진행 중인 이벤트가 없습니다',
    text: '새 이벤트를 준비하고 있습니다. 지난 이벤트를 둘러보세요.',
    action: { to: '/sub/event/ended', label: '지난 이벤트' },
  },
  ended: {
    lead: '끝난 이벤트입니다.',
    empty: '지난 이벤트가 없습니다',
    text: '이벤트가 끝나면 이곳으로 옮겨집니다.',
    action: { to: '/sub/event/ongoing', label: '진행 중인 이벤트' },
  },
  exhibition: {
    lead: '하나의 주제로 모은 상품을 기획전에서 만나 보세요.',
    empty: '기획전이 없습니다',
    text: '새 기획전을 준비하고 있습니다. 그동안 전체 상품을 둘러보세요.',
    action: { to: '/shop/products', label: '전체 상품' },
  },
} as const

export function Component() {
  const last = useLocation().pathname.toLowerCase().split('/').filter(Boolean).at(-1)
  const list = last === 'ended' || last === 'exhibition' ? last : 'ongoing'
  const events = useEvents(list === 'ended' ? 'ENDED' : 'ONGOING', list !== 'exhibition')
  const exhibitions = useExhibitions(list === 'exhibition')
  const { lead, empty, text, action } = LISTS[list]
  const cards = list === 'exhibition' ? exhibitions.data?.exhibitions : events.data?.events
  const { error, refetch } = list === 'exhibition' ? exhibitions : events
  return (
    <EventFrame lead={lead}>
      <Loaded of={{ data: cards, error, refetch }}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState
              icon={<Gift />}
              title={empty}
              text={text}
              action={<ButtonLink to={action.to}>{action.label}</ButtonLink>}
            />
          ) : (
            <ul className="grid gap-x-6 gap-y-10 sm:grid-cols-2 md:grid-cols-3">
              {found.map((card, i) => (
                <Card key={card._id} card={card} to={`/sub/event/${list}/${card._id}`} first={i < 3} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </EventFrame>
  )
}

const Card = ({ card, to, first }: { card: PromotionCard; to: string; first: boolean }) => (
  <li className="group relative">
    <Picture src={card.thumb.url} alt="" ratio={1.6} first={first} sizes="(width < 64rem) 100vw, 24rem" />
    <h2 className="wrap-anywhere mt-4 font-bold text-xl">
      <Link to={to} className="after:absolute after:inset-0 after:rounded-lg group-hover:underline">
        {card.name}
      </Link>
    </h2>
    {card.desc && <p className="wrap-anywhere mt-1 line-clamp-2 text-ink-2">{card.desc}</p>}
    <p className="figures mt-2 flex flex-wrap items-center gap-2 text-ink-3 text-sm">
      <Period of={card} />
      <EndedBadge of={card} />
    </p>
  </li>
)
