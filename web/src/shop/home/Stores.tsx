// Stores near the visitor, or the shop's default order, and recommended mini-shops (spec V023, V077, V267-V270).
import { LocateFixed } from 'lucide-react'
import { useStores } from '../../features/stores/api'
import { StoreCard, StoreOutline } from '../../features/stores/StoreCard'
import { useGeolocation } from '../../features/stores/useGeolocation'
import { Button } from '../../ui/Button'
import { Section } from '../../ui/Section'
import { Loading } from '../../ui/states'

const STORES = 4
const SHOPS = 3
const NEAR_KM = 200
const GRID = 'grid grid-cols-1 gap-x-5 gap-y-8 xs:grid-cols-2'

export function Stores({ className }: { className: string }) {
  const { place, asking, ask } = useGeolocation()
  const near = place && { near: `${place.latitude},${place.longitude}`, within: NEAR_KM }
  const { data, isPending, isPlaceholderData } = useStores({ ...near }, { size: STORES })
  const stores = data?.stores ?? []
  if (!isPending && stores.length === 0 && !place) return null
  return (
    <Section
      title={place ? '내 주변 매장' : '추천 매장'}
      lead={
        data && stores.length === 0 ? `${NEAR_KM}km 안에는 아직 매장이 없습니다.` : '직접 보고 타 본 뒤 선택하세요.'
      }
      more={{ to: '/sub/store' }}
      className={className}
    >
      {isPending ? (
        <Loading className={`${GRID} md:grid-cols-4`}>
          <StoreOutline count={STORES} />
        </Loading>
      ) : (
        <ul aria-busy={isPlaceholderData} className={`${GRID} md:grid-cols-4`}>
          {stores.map((store) => (
            <li key={store._id}>
              <StoreCard store={store} level={3} />
            </li>
          ))}
        </ul>
      )}
      {!place && (
        <Button variant="outline" className="mt-8" busy={asking} onClick={ask}>
          <LocateFixed aria-hidden />내 주변 매장 보기
        </Button>
      )}
    </Section>
  )
}

export function Shops({ className }: { className: string }) {
  const { data, isPending } = useStores({ recommended: true }, { size: SHOPS })
  const shops = data?.stores ?? []
  if (!isPending && shops.length === 0) return null
  return (
    <Section title="추천 상점" lead="믿고 맡기는 판매자를 소개합니다." className={className}>
      {isPending ? (
        <Loading className={`${GRID} md:grid-cols-3`}>
          <StoreOutline count={SHOPS} look="minishop" />
        </Loading>
      ) : (
        <ul className={`${GRID} md:grid-cols-3`}>
          {shops.map((store) => (
            <li key={store._id}>
              <StoreCard store={store} look="minishop" level={3} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
