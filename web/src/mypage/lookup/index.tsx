// Finds an order without an account: by its number and the phone it was ordered with.
import { useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { call } from '../../api/client'
import { isGuestOrder, storeGuestOrder } from '../../api/guestOrders'
import { apiQueryKey } from '../../api/query'
import { useForm } from '../../features/forms/useForm'
import { MY_ORDER, useOrder } from '../../features/orders/useOrder'
import { digits } from '../../lib/phone'
import { failures, phone, required } from '../../lib/validators'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input, PhoneInput } from '../../ui/Input'
import { Link } from '../../ui/Link'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { OrderView } from '../orders-detail/OrderView'

const RULES = { orderNo: required('주문번호를 입력해 주세요.'), phone }
const NOT_FOUND = 404

export function Component() {
  const [params, setParams] = useSearchParams()
  const id = params.get('order') ?? ''
  const known = id !== '' && isGuestOrder(id)
  return (
    <main
      id="content"
      className={
        known ? 'mx-auto w-full max-w-4xl px-5 py-8 md:py-12' : 'mx-auto w-full max-w-[25rem] px-5 pt-14 md:pt-24'
      }
    >
      <h1 className="font-extrabold text-3xl">비회원 주문조회</h1>
      {known ? <GuestOrder id={id} /> : <Search onFound={(order) => setParams({ order })} />}
    </main>
  )
}

function Search({ onFound }: { onFound: (order: string) => void }) {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { orderNo: '', phone: '' },
    check: (values) => failures(values, RULES),
    send: (values) =>
      call('POST', '/api/v1/shop/orders/lookup', {
        body: { orderNo: values.orderNo.trim(), phone: digits(values.phone) },
      }),
    refused: ({ status }) =>
      status === NOT_FOUND ? { form: '일치하는 주문이 없습니다. 주문번호와 휴대폰 번호를 확인해 주세요.' } : undefined,
    onSent: ({ order, guestToken }) => {
      storeGuestOrder(order._id, guestToken)
      queryClient.setQueryData(apiQueryKey(MY_ORDER, { path: { id: order._id } }), { order })
      onFound(order._id)
    },
  })
  return (
    <>
      <p className="mt-2 text-ink-2">주문번호와 주문할 때 입력한 휴대폰 번호를 입력해 주세요.</p>
      <form {...form.formProps} className="mt-8 grid gap-4">
        <Field label="주문번호" error={form.errors.orderNo}>
          <Input placeholder="20261121-7KD2M9QX" autoCapitalize="characters" {...form.text('orderNo')} />
        </Field>
        <Field label="휴대폰 번호" error={form.errors.phone}>
          <PhoneInput value={form.values.phone} onValueChange={(value) => form.set({ phone: value })} />
        </Field>
        <FormError>{form.errors.form}</FormError>
        <Button type="submit" size="lg" block busy={form.isPending}>
          조회하기
        </Button>
      </form>
      <p className="mt-6 text-center text-ink-2">
        회원이신가요?{' '}
        <Link to="/mypage/orders" className="font-semibold text-ink underline underline-offset-4">
          내 주문 내역
        </Link>
      </p>
    </>
  )
}

function GuestOrder({ id }: { id: string }) {
  const { data, error, refetch } = useOrder(id)
  if (data) return <OrderView order={data.order} />
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <Loading className="mt-6 grid gap-5">
      <Skeleton className="h-44 rounded-lg" />
      <Skeleton className="h-56 rounded-lg" />
    </Loading>
  )
}
