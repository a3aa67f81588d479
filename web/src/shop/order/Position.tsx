// 배송지 위치: asked for only where a fare goes by the distance from the seller's warehouse (spec V164-V168).
import { useState } from 'react'
import { whereAmI } from '../../lib/geolocation'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import type { CheckoutSectionProps } from './SenderReceiverForm'

export function PositionPart({
  sheet,
  change,
  wrong,
}: Pick<CheckoutSectionProps, 'sheet' | 'change'> & { wrong?: string }) {
  const [asking, setAsking] = useState(false)
  const [refused, setRefused] = useState<string>()
  const ask = () => {
    setAsking(true)
    setRefused(undefined)
    whereAmI()
      .then(
        (position) => change({ position }),
        (error: Error) => setRefused(error.message),
      )
      .finally(() => setAsking(false))
  }
  const errorText = refused ?? wrong
  return (
    <Card title="배송지 위치">
      <p className="mb-3 text-ink-2">
        거리에 따라 배송비가 달라지는 상품이 있습니다. 상품을 받을 곳에서 현재 위치를 알려 주세요.
      </p>
      <Button variant="outline" busy={asking} onClick={ask}>
        {sheet.position ? '현재 위치 다시 입력' : '현재 위치 입력'}
      </Button>
      {errorText && (
        <p role="alert" className="mt-3 text-danger text-sm">
          {errorText}
        </p>
      )}
    </Card>
  )
}
