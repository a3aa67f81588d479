// Delivery as text: fee, method, and the amount missing for free delivery.
import type { QuoteFare, ShippingOption } from '../../api/types'
import { formatMoney } from '../../lib/money'

const METHODS: Record<ShippingOption['method'], string> = {
  GENERAL: '택배',
  EXPRESS: '퀵서비스',
  PICK_UP: '방문 수령',
  COMPANY: '업체 직접배송',
}

/** Shipping methods. */
export const methodText = (method: ShippingOption['method']): string => METHODS[method] ?? method

/** The amount from which delivery is free; undefined when it never is. */
export const freeFrom = (option: ShippingOption): number | undefined =>
  option.chargeType === 'price-range'
    ? option.pricesRange
        .filter((step) => step.amount === 0)
        .map((step) => step.price)
        .sort((a, b) => a - b)[0]
    : undefined

/** `$3.00 ($50.00 이상 무료)`. */
export function fareText(option: ShippingOption): string {
  switch (option.chargeType) {
    case 'fixed':
      return option.fixedAmount === 0 ? '무료배송' : formatMoney(option.fixedAmount)
    case 'pay-on-delivery':
      return '착불 (수령 시 결제)'
    case 'price-range': {
      const most = Math.max(0, ...option.pricesRange.map((step) => step.amount))
      const free = freeFrom(option)
      if (most === 0) return '무료배송'
      return free === undefined ? formatMoney(most) : `${formatMoney(most)} (${formatMoney(free)} 이상 무료)`
    }
    case 'travel-range': {
      const [first] = [...option.travelRange].sort((a, b) => a.distance - b.distance)
      return `거리별 요금${first ? ` (${formatMoney(first.amount)}부터)` : ''}`
    }
  }
}

const AREAS: Record<string, string> = { none: '내륙', island: '도서산간', jeju: '제주' }

/** Where it delivers if not everywhere, surcharges for remote places, and for services. */
export function extraTexts({ island, service, areas__available: areas = [] }: ShippingOption): string[] {
  return [
    areas.length > 0 && `${areas.map((area) => AREAS[area] ?? area).join(' · ')} 지역만 배송`,
    island.isActive && `제주 ${formatMoney(island.amount__jeju)} · 도서산간 ${formatMoney(island.amount__base)} 추가`,
    service.isActive && service.amount > 0 && `조립·설치비 개당 ${formatMoney(service.amount)}`,
  ].filter((text) => text !== false)
}

/** The fee of a parcel before coupons. */
export const fareOf = ({ fare, islandFee, serviceFee }: QuoteFare): number => fare + islandFee + serviceFee
