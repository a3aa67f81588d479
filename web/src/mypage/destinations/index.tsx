// The member's address book, with a default address.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MapPin, Plus } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client'
import { apiQueryKey, useApiQuery } from '../../api/query'
import type { Destination } from '../../api/types'
import { AddressFields } from '../../features/addresses/AddressFields'
import { useDirtyReport, useDiscardGuard } from '../../features/forms/unsaved'
import { useForm } from '../../features/forms/useForm'
import { ko } from '../../i18n/ko'
import { digits, formatPhone } from '../../lib/phone'
import { failures, LINE_MOST, name, phone, required } from '../../lib/validators'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { FormError } from '../../ui/FormError'
import { Input, PhoneInput } from '../../ui/Input'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { MyPage } from '../MyPage'
import { useUndoableRemoval } from '../useDeleteWithUndo'

const DESTINATIONS = '/api/v1/me/destinations'

export function Component() {
  const queryClient = useQueryClient()
  const [editing, setEditing] = useState<Destination | 'new'>()
  const { onDirty, guardedClose } = useDiscardGuard(() => setEditing(undefined))
  const { data, error, refetch } = useApiQuery(DESTINATIONS)
  const again = () => queryClient.invalidateQueries({ queryKey: apiQueryKey(DESTINATIONS).slice(0, 2) })
  const becomeDefault = useMutation({
    mutationFn: (to: Destination) =>
      call('PUT', `${DESTINATIONS}/{id}`, { path: { id: to._id }, body: { ...bodyOf(to), isDefault: true } }),
    onSettled: again,
  })
  const remove = useUndoableRemoval<Destination>({
    remove: (to) => call('DELETE', `${DESTINATIONS}/{id}`, { path: { id: to._id } }),
    // Restores it; a default one becomes the default again.
    restore: (to) => call('POST', DESTINATIONS, { body: bodyOf(to) }),
    said: { removed: '배송지를 삭제했습니다.', restored: '배송지를 복원했습니다.' },
    changed: again,
  })
  return (
    <MyPage
      title="배송지 관리"
      aside={
        <Button onClick={() => setEditing('new')}>
          <Plus aria-hidden />새 배송지
        </Button>
      }
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading className="mt-6 grid gap-4 sm:grid-cols-2">
          <Skeleton className="h-40 rounded-lg" />
          <Skeleton className="h-40 rounded-lg" />
        </Loading>
      ) : data.destinations.length === 0 ? (
        <EmptyState
          icon={<MapPin />}
          title="저장한 배송지가 없습니다"
          text="자주 쓰는 주소를 저장해 두면 주문서에서 바로 고를 수 있습니다."
        />
      ) : (
        <ul className="mt-6 grid gap-4 sm:grid-cols-2">
          {data.destinations.map((to) => (
            <li key={to._id} className="flex flex-col rounded-lg border border-line bg-raised p-5">
              <h2 className="flex items-center gap-2 font-bold text-lg">
                {to.title || to.name}
                {to.isDefault && <Badge tone="accent">기본</Badge>}
              </h2>
              <p className="figures mt-1 text-ink-2">
                {to.name} · {formatPhone(to.phone)}
              </p>
              <p className="mt-1 mb-4 text-ink-2">
                <span className="figures">({to.postcode})</span> {to.address1} {to.address2}
              </p>
              <div className="mt-auto flex gap-2">
                <Button variant="outline" size="sm" onClick={() => setEditing(to)}>
                  수정
                </Button>
                <Button
                  variant="ghost"
                  size="sm"
                  busy={remove.isPending && remove.variables._id === to._id}
                  onClick={() => remove.mutate(to)}
                >
                  {ko.action.remove}
                </Button>
                {!to.isDefault && (
                  <Button
                    variant="ghost"
                    size="sm"
                    className="ml-auto"
                    busy={becomeDefault.isPending && becomeDefault.variables._id === to._id}
                    onClick={() => becomeDefault.mutate(to)}
                  >
                    기본 배송지로
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      <Dialog
        open={editing !== undefined}
        onOpenChange={(stays) => !stays && guardedClose()}
        title={editing === 'new' ? '새 배송지' : '배송지 수정'}
      >
        {editing && (
          <Form
            known={editing === 'new' ? undefined : editing}
            first={data?.destinations.length === 0}
            onDirty={onDirty}
            onDone={() => {
              setEditing(undefined)
              void toast('배송지를 저장했습니다.', { tone: 'success' })
              void again()
            }}
          />
        )}
      </Dialog>
    </MyPage>
  )
}

const bodyOf = ({ _id: _, ...rest }: Destination): Omit<Destination, '_id'> => ({ ...rest, phone: digits(rest.phone) })

const BLANK = { title: '', name: '', phone: '', postcode: '', address1: '', address2: '' }
const RULES = {
  name,
  phone,
  postcode: (value: string) => (/^\d{5}$/.test(value) ? undefined : '우편번호를 숫자 5자리로 입력해 주세요.'),
  address1: required('주소를 입력해 주세요.'),
}

type FormProps = {
  known: Destination | undefined
  first: boolean
  onDirty: (dirty: boolean) => void
  onDone: () => void
}

function Form({ known, first, onDirty, onDone }: FormProps) {
  // The default stays until another becomes it; the first address is the default.
  const staysDefault = known?.isDefault ?? first
  const form = useForm({
    initial: () => {
      if (!known) return { ...BLANK, isDefault: staysDefault }
      const { title, name: to, phone: number, postcode, address1, address2 } = known
      return { title, name: to, phone: number, postcode, address1, address2: address2 ?? '', isDefault: staysDefault }
    },
    check: (values) => failures(values, RULES),
    send: (values): Promise<unknown> => {
      const body = {
        title: values.title.trim() || values.name.trim(),
        name: values.name.trim(),
        phone: digits(values.phone),
        postcode: values.postcode,
        address1: values.address1.trim(),
        address2: values.address2.trim(),
        isDefault: values.isDefault,
      }
      return known
        ? call('PUT', `${DESTINATIONS}/{id}`, { path: { id: known._id }, body })
        : call('POST', DESTINATIONS, { body })
    },
    onSent: onDone,
  })
  const { values, errors, isDirty } = form
  useDirtyReport(isDirty, onDirty)
  return (
    <form {...form.formProps} className="grid gap-4 sm:grid-cols-2">
      <Field label="배송지 이름" hint="예: 집, 회사" className="sm:col-span-2" error={errors.title}>
        <Input maxLength={30} {...form.text('title')} />
      </Field>
      <Field label="받는 분" required error={errors.name}>
        <Input autoComplete="name" maxLength={LINE_MOST} {...form.text('name')} />
      </Field>
      <Field label="휴대폰 번호" required error={errors.phone}>
        <PhoneInput value={values.phone} onValueChange={(value) => form.set({ phone: value })} />
      </Field>
      <AddressFields value={values} onValueChange={form.set} errors={errors} />
      {!staysDefault && (
        <Checkbox
          label="기본 배송지로 설정"
          checked={values.isDefault}
          onChange={(event) => form.set({ isDefault: event.target.checked })}
          className="sm:col-span-2"
        />
      )}
      <FormError className="sm:col-span-2">{errors.form}</FormError>
      <Button type="submit" size="lg" block busy={form.isPending} className="sm:col-span-2">
        {ko.action.save}
      </Button>
    </form>
  )
}
