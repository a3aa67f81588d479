// Records: only what was changed is sent, two people in one record see both versions, and any version comes back.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { faults } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Questions } from '../../ui/ask'
import { Component as Setting } from '../setting'
import { happened } from '../testing'
import { changedPaths, type FieldDef, faultsOf, patch, toValues } from './fields'

withServer()

const setting = {
  _id: 'main',
  version: 3,
  removed: false,
  name: '장부',
  currency: { code: 'USD', exponent: 2, step: 1 },
  unpaidDeadlineMinutes: 1440,
  autoConfirmDays: 7,
  company: { name: '주식회사 장부', ceoName: '김장부', tel: '02-000-0000', email: 'a@b.kr' },
}
let sent: Record<string, unknown>[] = []

beforeEach(() => {
  sent = []
  server.use(
    http.get('*/api/console/setting/main', () => HttpResponse.json({ setting })),
    http.get('*/api/console/setting/main/history', () =>
      HttpResponse.json({
        events: [
          happened(1, 'SiteSettingCreated', '등록했습니다', { version: 1 }),
          happened(2, 'SiteSettingRevised', '수정했습니다', {
            version: 3,
            changes: { company: { from: { ...setting.company, tel: '1' }, to: setting.company } },
            document: setting,
          }),
        ],
      }),
    ),
    http.put('*/api/console/setting/main', async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>
      sent.push(body)
      if (body.version === 3)
        return HttpResponse.json(
          {
            error: {
              code: 'version_conflict',
              message: '다른 사용자가 먼저 수정했습니다.',
              details: { sent: 3, version: 4, current: { ...setting, name: '남의 장부', autoConfirmDays: 9 } },
            },
          },
          { status: 409 },
        )
      return HttpResponse.json({ setting: { ...setting, ...body, version: 5 } })
    }),
    http.post('*/api/console/setting/main/restore', async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>)
      return HttpResponse.json({ setting })
    }),
  )
})

const open = async () => {
  renderPage(
    <>
      <Setting />
      <Questions />
    </>,
    '/console/site/setting',
  )
  return await screen.findByLabelText(/사이트명/)
}
const save = () => userEvent.click(screen.getByRole('button', { name: '저장' }))

describe('a record', () => {
  it('shows both versions when somebody was faster, and keeps mine on top of theirs', async () => {
    const name = await open()
    await userEvent.clear(name)
    await userEvent.type(name, '나의 장부')
    await save()
    const dialog = within(await screen.findByRole('dialog', { name: '다른 사람이 먼저 수정했습니다' }))
    const row = dialog.getByRole('row', { name: /사이트명/ })
    expect(row.textContent).toBe('사이트명나의 장부남의 장부')
    expect(await faults()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: '내 입력으로 저장' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // Their other change (autoConfirmDays) is not sent, so it stays.
    expect(sent.at(-1)).toEqual({ name: '나의 장부', version: 4 })
  })

  it('takes theirs when asked', async () => {
    const name = await open()
    await userEvent.type(name, '!')
    await save()
    await userEvent.click(await screen.findByRole('button', { name: '저장된 값 불러오기' }))
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/사이트명/).value).toBe('남의 장부'))
    expect(screen.getByLabelText<HTMLInputElement>(/자동 구매확정/).value).toBe('9')
  })

  it('is not sent with faults in it', async () => {
    await userEvent.clear(await open())
    await userEvent.type(screen.getByLabelText(/자동 구매확정/), 'x')
    await save()
    expect(screen.getByText('사이트명: 꼭 입력해 주세요.')).toBeTruthy()
    expect(screen.getByText('0 이상의 정수로 입력해 주세요.')).toBeTruthy()
    expect(sent).toEqual([])
  })

  it('tells part by part what changed, and comes back', async () => {
    await open()
    const entry = within((await screen.findByText('수정했습니다')).closest('li') as HTMLElement)
    expect(entry.getByText('전화:').parentElement?.textContent).toBe('전화: 1 → 02-000-0000')
    await userEvent.click(screen.getByRole('button', { name: '이 버전으로 되돌리기' }))
    await userEvent.click(await screen.findByRole('button', { name: '네' }))
    await waitFor(() => expect(sent).toEqual([{ version: 1 }]))
  })
})

describe('fields', () => {
  const fields: FieldDef[] = [
    { kind: 'money', path: 'price', label: '정가' },
    { kind: 'choice', path: 'discount.unit', label: '할인', options: [] },
    { kind: 'worth', path: 'discount.value', unit: 'discount.unit', label: '값' },
    { kind: 'moment', path: 'issue.startsAt', label: '시작' },
    { kind: 'text', path: 'brand', label: '브랜드' },
  ]
  const document = {
    price: 129050,
    discount: { unit: 'PERCENT', value: 10 },
    issue: { startsAt: '2026-03-01T15:00:00Z', isActive: true },
  }
  const values = toValues(fields, document)

  it('are read and written without loss', () => {
    expect(values).toEqual({
      price: '1,290.50',
      'discount.unit': 'PERCENT',
      'discount.value': '10',
      'issue.startsAt': '2026-03-02T00:00',
      brand: '',
    })
    expect(faultsOf(fields, values)).toEqual({})
    expect(changedPaths(fields, values, values)).toEqual([])
  })
  it('take an amount or a percentage, as their unit says', () => {
    const typed = { ...values, 'discount.unit': 'AMOUNT', 'discount.value': '12.5' }
    expect(patch(fields, document, typed, changedPaths(fields, values, typed))).toEqual({
      discount: { unit: 'AMOUNT', value: 1250 },
    })
    expect(faultsOf(fields, { ...values, 'discount.value': '12.5' })).toHaveProperty(['discount.value'])
  })
  it('leave the rest of a part as it is', () => {
    const typed = { ...values, 'issue.startsAt': '2026-03-03T09:30' }
    expect(patch(fields, document, typed, ['issue.startsAt'])).toEqual({
      issue: { startsAt: '2026-03-03T09:30:00+09:00', isActive: true },
    })
  })
})
