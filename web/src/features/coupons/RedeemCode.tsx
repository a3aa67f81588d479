// The field for a coupon code from paper. Not a form of its own: on the order sheet it is within one.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { apiQueryKey } from '../../api/query'
import { useIdempotentSend } from '../../api/sendOnce'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Input } from '../../ui/Input'
import { toast } from '../../ui/toast'
import { PREVIEW } from '../orders/usePreview'
import { OFFERS } from './useDrawCoupon'

const REDEEM = '/api/v1/me/coupons/codes'
const CHANGED = [['get', '/api/v1/me/coupons'], apiQueryKey(OFFERS).slice(0, 2), ['post', PREVIEW]]

export function RedeemCode({ className }: { className?: string }) {
  const queryClient = useQueryClient()
  const sendOnce = useIdempotentSend()
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string>()
  const redeem = useMutation({
    meta: { suppressToast: true },
    mutationFn: (code: string) => sendOnce({ code }, (headers) => call('POST', REDEEM, { headers, body: { code } })),
    onSuccess: ({ coupon }) => {
      setCode('')
      void toast(`‘${coupon.name}’ 쿠폰을 받았습니다.`, { tone: 'success' })
      return Promise.all(CHANGED.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    },
    onError: (thrown) => {
      const error = toApiError(thrown)
      setFault(error.onForm(['code']).code ?? error.message)
    },
  })
  const send = () => {
    if (redeem.isPending) return
    const typed = code.trim()
    if (typed === '') return setFault('쿠폰 코드를 입력해 주세요.')
    redeem.mutate(typed)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <div className={className}>
      <Field label="쿠폰 코드" hint="인쇄물에 있는 16자리 코드를 입력하면 쿠폰을 바로 받습니다." error={fault}>
        <div className="flex gap-2">
          <Input
            value={code}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="XXXX-XXXX-XXXX-XXXX"
            className="figures min-w-0 flex-1 uppercase placeholder:normal-case"
            onChange={(event) => {
              setCode(event.target.value)
              setFault(undefined)
            }}
            onKeyDown={onKeyDown}
          />
          <Button variant="outline" busy={redeem.isPending} className="shrink-0" onClick={send}>
            등록
          </Button>
        </div>
      </Field>
    </div>
  )
}
