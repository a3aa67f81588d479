// Records in forms: only changes are sent, concurrent edits show both versions, any version can be restored, and the server's errors
// are shown at their fields.
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay, HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Scope, useSession } from '../../api/session'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConfirmHost } from '../../ui/confirm'
import { Toasts } from '../../ui/toast'
import { banner } from '../banners/resource'
import { shopCode } from '../codes/resource'
import { product } from '../products/resource'
import { Component as Setting } from '../setting/index'
import { store } from '../stores/resource'
import { happened } from '../testing'
import { fromDraft, getIn, setIn, toDraft } from './formState'
import { ResourcePage } from './ResourcePage'
import type { Field } from './schema'

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

const tooManyDays = () =>
  HttpResponse.json(
    {
      error: {
        code: 'invalid',
        message: '입력한 내용을 확인해 주세요.',
        fields: [{ field: 'autoConfirmDays', code: 'out_of_range', message: '30일까지입니다.' }],
      },
    },
    { status: 400 },
  )

beforeEach(() => {
  sent = []
  useSession.setState({ payload: undefined, refreshToken: undefined })
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
      if (body.autoConfirmDays === 99) return tooManyDays()
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
      <ConfirmHost />
    </>,
    '/console/site/setting',
  )
  return await screen.findByLabelText(/사이트명/)
}
const save = () => userEvent.click(screen.getByRole('button', { name: '저장' }))

describe('a record', () => {
  it('shows both versions on a version conflict, and keeps my changes on top of the other version', async () => {
    const name = await open()
    await userEvent.clear(name)
    await userEvent.type(name, '나의 장부')
    // Ctrl+S saves.
    await userEvent.keyboard('{Control>}s{/Control}')
    const dialog = within(await screen.findByRole('dialog', { name: '다른 사람이 먼저 수정했습니다' }))
    const row = dialog.getByRole('row', { name: /사이트명/ })
    expect(row.textContent).toBe('사이트명나의 장부남의 장부')
    expect(await a11yViolations()).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: '내 입력으로 저장' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // The other user's change (autoConfirmDays) is not sent, so it stays.
    expect(sent.at(-1)).toEqual({ name: '나의 장부', version: 4 })
  })

  it('takes the other version on request', async () => {
    const name = await open()
    await userEvent.type(name, '!')
    await save()
    await userEvent.click(await screen.findByRole('button', { name: '저장된 값 불러오기' }))
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/사이트명/).value).toBe('남의 장부'))
    expect(screen.getByLabelText<HTMLInputElement>(/자동 구매확정/).value).toBe('9')
  })

  it('keeps what was typed when it is read again and that fails', async () => {
    const { client } = renderPage(<Setting />, '/console/site/setting')
    const name = await screen.findByLabelText<HTMLInputElement>(/사이트명/)
    await userEvent.type(name, '상회')
    const refused = vi.fn(() => HttpResponse.json({ error: { code: 'internal', message: '잠시 뒤' } }, { status: 500 }))
    server.use(http.get('*/api/console/setting/main', refused))
    await client.refetchQueries()
    await waitFor(() => expect(refused).toHaveBeenCalled())
    expect(screen.getByLabelText<HTMLInputElement>(/사이트명/).value).toBe('장부상회')
  })

  it('says that it does not exist, without a retry', async () => {
    server.use(
      http.get('*/api/console/*/:id', () =>
        HttpResponse.json({ error: { code: 'not_found', message: '없음' } }, { status: 404 }),
      ),
    )
    renderPage(<ResourcePage def={store} id="none" />, '/console/shop/stores/none')
    expect(await screen.findByText('찾으시는 내용이 없습니다')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '다시 시도' })).toBeNull()
    expect(screen.getByRole('link', { name: '매장 목록' }).getAttribute('href')).toBe('/console/shop/stores')
  })

  it('is not sent while invalid; the first error gets the focus', async () => {
    const name = await open()
    await userEvent.clear(name)
    await userEvent.type(screen.getByLabelText(/자동 구매확정/), 'x')
    await save()
    expect(screen.getByText('사이트명: 필수 입력 항목입니다.')).toBeTruthy()
    expect(screen.getByText('0 이상의 정수로 입력해 주세요.')).toBeTruthy()
    expect(document.activeElement).toBe(name)
    expect(sent).toEqual([])
    // Corrected fields lose their error, and the focus stays while typing.
    const days = screen.getByLabelText(/자동 구매확정/)
    await userEvent.clear(days)
    await userEvent.type(days, '9')
    expect(screen.queryByText('0 이상의 정수로 입력해 주세요.')).toBeNull()
    expect(document.activeElement).toBe(days)
    expect(screen.getByText('입력한 내용을 확인해 주세요.')).toBeTruthy()
    await userEvent.type(name, '장부')
    expect(screen.queryByText('사이트명: 필수 입력 항목입니다.')).toBeNull()
    expect(screen.queryByText('입력한 내용을 확인해 주세요.')).toBeNull()
  })

  it("shows the server's error at its field", async () => {
    await open()
    const days = screen.getByLabelText(/자동 구매확정/)
    await userEvent.clear(days)
    await userEvent.type(days, '29')
    await userEvent.clear(days)
    await userEvent.type(days, '99')
    await save()
    // The schema may know the limit already; either way the error is at the field, which has the focus.
    await waitFor(() => expect(days.getAttribute('aria-invalid')).toBe('true'))
    expect(document.activeElement).toBe(days)
  })

  it('shows the changes field by field, and can be restored', async () => {
    await open()
    const entry = within((await screen.findByText('수정했습니다')).closest('li') as HTMLElement)
    expect(entry.getByText(/전화/).parentElement?.textContent).toContain('1 → 02-000-0000')
    await userEvent.click(screen.getByRole('button', { name: '이 버전으로 되돌리기' }))
    await userEvent.click(await screen.findByRole('button', { name: '네' }))
    await waitFor(() => expect(sent).toEqual([{ version: 1 }]))
  })
})

describe('concurrent edits of a product', () => {
  it('show the differences in its options, which have an editor of their own', async () => {
    const option = { _id: 'o1', name: '색', value: '빨강', price: 0, enabled: true }
    const kept = {
      ...{
        _id: 'p1',
        version: 4,
        code: 'BK-1',
        _seller: 'u1',
        name: '바람 로드',
        price: 1000,
        type: 'NORMAL_PRODUCT',
        shows: true,
      },
      ...{ optionsConf: { enabled: true, criteria: ['색'] }, options: [option], stock: [] },
    }
    const { stock: _, _id, version, ...document } = kept
    useSession.setState({ payload: { _user: 'u1', userType: 'OPERATOR', scope: ['console'] }, refreshToken: 'r' })
    server.use(
      http.get('*/api/console/shop/products/p1/history', () => HttpResponse.json({ events: [] })),
      http.get('*/api/console/shop/products/p1', () => HttpResponse.json({ product: kept })),
      http.put('*/api/console/shop/products/p1', () => {
        const current = { ...document, options: [{ ...option, value: '진빨강' }] }
        const details = { sent: 4, version: 5, current }
        return HttpResponse.json({ error: { code: 'version_conflict', message: 'x', details } }, { status: 409 })
      }),
      http.get('*/api/console/*', () => HttpResponse.json({ summary: { totalCount: 0 } })),
    )
    renderPage(<ResourcePage def={product} id="p1" />, '/console/shop/products/p1')
    const value = await screen.findByLabelText('빨강 옵션값')
    await userEvent.clear(value)
    await userEvent.type(value, '분홍')
    await save()
    const dialog = within(await screen.findByRole('dialog', { name: '다른 사람이 먼저 수정했습니다' }))
    const rows = dialog.getAllByRole('row').slice(1)
    expect(rows.map((row) => row.textContent)).toEqual(['옵션 1번 옵션값분홍진빨강'])
  })
})

describe('a form', () => {
  const kept = {
    ...{
      _id: 'p1',
      version: 4,
      removed: false,
      code: 'BK-1',
      _seller: 'u1',
      name: '바람 로드',
      price: 1000,
      type: 'NORMAL_PRODUCT',
    },
    ...{ optionsConf: { enabled: false, criteria: [] }, options: [], shows: true },
  }
  const pile = (available: number) => [{ _stock: 'p1', available, sells: 6 }]
  let saves: Promise<unknown>
  beforeEach(() => {
    saves = Promise.resolve()
    let version = kept.version
    let available = 3
    useSession.setState({ payload: { _user: 'u1', userType: 'OPERATOR', scope: ['console'] }, refreshToken: 'r' })
    const now = () => ({ product: { ...kept, version, stock: pile(available) } })
    server.use(
      http.get('*/api/console/shop/products/p1/history', () => HttpResponse.json({ events: [] })),
      http.get('*/api/console/shop/products/p1', () => HttpResponse.json(now())),
      http.put('*/api/console/shop/products/p1', async ({ request }) => {
        const body = (await request.json()) as { version: number; stock?: { quantity: number }[] }
        sent.push(body)
        await saves
        available = body.stock?.[0]?.quantity ?? available
        // A stock count is not a version of the record.
        if (!body.stock) version += 1
        return HttpResponse.json(now())
      }),
      // Options for the product's references.
      http.get('*/api/console/*', () => HttpResponse.json({ summary: { totalCount: 0 } })),
    )
  })

  it('shows the stock after a count, which creates no new version', async () => {
    renderPage(<ResourcePage def={product} id="p1" />, '/console/shop/products/p1')
    const left = await screen.findByLabelText<HTMLInputElement>('재고')
    await userEvent.clear(left)
    await userEvent.type(left, '8')
    await save()
    await waitFor(() => expect(sent).toEqual([{ stock: [{ _stock: 'p1', available: 3, quantity: 8 }], version: 4 }]))
    expect(await screen.findByText('8개')).toBeTruthy()
    expect(screen.getByText('지금까지 6개 판매')).toBeTruthy()
    expect(screen.queryByText(/undefined/)).toBeNull()
  })

  it('keeps input entered during a save, and saves it on top', async () => {
    let answer: (value?: unknown) => void = () => undefined
    saves = new Promise((resolve) => {
      answer = resolve
    })
    renderPage(<ResourcePage def={product} id="p1" />, '/console/shop/products/p1')
    const name = await screen.findByLabelText<HTMLInputElement>(/^상품명/)
    await userEvent.type(name, '!')
    await save()
    await waitFor(() => expect(sent).toHaveLength(1))
    await userEvent.type(name, '?')
    answer()
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: '저장' }).ariaDisabled).toBe(null))
    expect(name.value).toBe('바람 로드!?')
    await save()
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent[1]).toEqual({ name: '바람 로드!?', version: 5 })
  })
})

describe('a history', () => {
  it('restores over unsaved input only after it said so', async () => {
    let isBack = false
    server.use(
      http.get('*/api/console/setting/main', () =>
        HttpResponse.json({ setting: isBack ? { ...setting, name: '예전 장부', version: 4 } : setting }),
      ),
      http.post('*/api/console/setting/main/restore', () => {
        isBack = true
        return HttpResponse.json({ setting })
      }),
    )
    const name = await open()
    await userEvent.click(await screen.findByRole('button', { name: '이 버전으로 되돌리기' }))
    const asked = within(await screen.findByRole('alertdialog'))
    expect(asked.queryByText(/저장하지 않은 입력/)).toBeNull()
    await userEvent.click(asked.getByRole('button', { name: '아니요' }))
    await userEvent.type(name, '!')
    await userEvent.click(screen.getByRole('button', { name: '이 버전으로 되돌리기' }))
    const warned = within(await screen.findByRole('alertdialog'))
    expect(warned.getByText(/저장하지 않은 입력은 사라집니다/)).toBeTruthy()
    await userEvent.click(warned.getByRole('button', { name: '네' }))
    expect(await screen.findByDisplayValue('예전 장부')).toBeTruthy()
    expect(screen.queryByText('저장하지 않은 내용이 있습니다')).toBeNull()
  })

  it("shows the record's name, and why a version cannot be restored", async () => {
    const stream = { kind: 'band-banner', id: 'x' }
    server.use(
      http.get('*/api/console/setting/main/history', () =>
        HttpResponse.json({
          events: [
            happened(1, 'BandBannerCreated', '등록했습니다', { version: 1, stream }),
            happened(2, 'BandBannerRevised', '수정했습니다', { version: 2, stream }),
            happened(3, 'BandBannerRevised', '다시 수정했습니다', { version: 3, stream }),
          ],
        }),
      ),
      http.post('*/api/console/setting/main/restore', async () => {
        await delay(100)
        return tooManyDays()
      }),
    )
    renderPage(
      <>
        <Setting />
        <ConfirmHost />
        <Toasts />
      </>,
      '/console/site/setting',
    )
    expect(await screen.findAllByText(/띠배너/)).toHaveLength(3)
    const back = () => screen.getAllByRole<HTMLButtonElement>('button', { name: '이 버전으로 되돌리기' })
    await userEvent.click(back()[0] as HTMLElement)
    await userEvent.click(await screen.findByRole('button', { name: '네' }))
    await waitFor(() => expect(back().map((button) => button.ariaDisabled)).toEqual(['true', 'true']))
    expect(await screen.findByText(/자동 구매확정.*: 30일까지입니다\./)).toBeTruthy()
  })
})

describe('a store', () => {
  const kept = {
    ...{ _id: 'st1', version: 1, removed: false, _seller: 'u1', name: '여의도점', address1: '여의동로 330' },
    ...{ thumb: { url: '/a.webp', alt: null }, isRecommended: true, index: 3, shows: true },
  }
  const as = (scope: Scope[]) =>
    useSession.setState({ payload: { _user: 'u1', userType: 'COMPANY', scope }, refreshToken: 'r' })
  beforeEach(() => {
    const seller = (id: unknown) => ({ _id: id, name: id === 'u1' ? '한강바이크' : '남산상회' })
    server.use(
      http.get('*/api/console/shop/stores/st1', () => HttpResponse.json({ store: kept })),
      http.get('*/api/console/shop/stores/st1/history', () =>
        HttpResponse.json({
          events: [
            happened(1, 'StoreRevised', '수정했습니다', {
              version: 1,
              changes: { _seller: { from: 'u2', to: 'u1' } },
            }),
          ],
        }),
      ),
      http.put('*/api/console/shop/stores/st1', async ({ request }) => {
        sent.push((await request.json()) as Record<string, unknown>)
        return HttpResponse.json({ store: { ...kept, version: 2 } })
      }),
      http.get('*/api/console/shop/sellers', () =>
        HttpResponse.json({ summary: { totalCount: 2 }, sellers: [seller('u1'), seller('u2')] }),
      ),
      http.get('*/api/console/shop/sellers/:id', ({ params }) => HttpResponse.json({ seller: seller(params.id) })),
    )
  })

  it("shows its seller the staff's fields read-only, and the others as inputs", async () => {
    as(['company'])
    renderPage(<ResourcePage def={store} id="st1" />, '/console/shop/stores')
    const seller = await screen.findByRole<HTMLInputElement>('combobox', { name: /^판매자/ })
    await waitFor(() => expect(seller.value).toBe('한강바이크'))
    expect(seller.disabled).toBe(true)
    expect(screen.getByLabelText<HTMLInputElement>(/추천/).disabled).toBe(true)
    expect(screen.getByLabelText<HTMLInputElement>(/매장명/).disabled).toBe(false)
    expect(await a11yViolations()).toEqual([])
  })

  it('is assigned to another seller by staff, and its history shows the name', async () => {
    as(['console'])
    renderPage(<ResourcePage def={store} id="st1" />, '/console/shop/stores')
    const seller = await screen.findByRole('combobox', { name: /^판매자/ })
    expect(await screen.findByText('남산상회')).toBeTruthy()
    await userEvent.type(seller, '남산')
    await userEvent.click(await screen.findByRole('option', { name: '남산상회' }))
    await save()
    await waitFor(() => expect(sent).toEqual([{ _seller: 'u2', version: 1 }]))
  })
})

describe('a banner', () => {
  const slides = [
    { _id: 's1', image: { url: '/a.webp', alt: '첫째' }, url: '', isOuterLink: false, target: '_self', meta: {} },
    { _id: 's2', image: { url: '/b.webp', alt: '둘째' }, url: '', isOuterLink: false, target: '_self', meta: {} },
  ]
  const stored = { _id: 'b1', version: 1, name: '메인', code: 'MAIN_1', device: 'PC', url: '', slides, display: {} }
  beforeEach(() => {
    server.use(
      http.get('*/api/console/banners/b1', () => HttpResponse.json({ banner: stored })),
      http.get('*/api/console/banners/b1/history', () => HttpResponse.json({ events: [] })),
      http.put('*/api/console/banners/b1', async ({ request }) => {
        const body = (await request.json()) as Record<string, unknown>
        sent.push(body)
        return HttpResponse.json({ banner: { ...stored, ...body, version: 2 } })
      }),
      http.post('*/api/console/files', () =>
        HttpResponse.json({ file: { _id: 'f1', url: '/files/new.webp', name: '봄_배너.png' } }),
      ),
    )
  })

  it.each([
    ['MAIN_1', ['메인 1', '메인 2', '레시피']],
    // One from before positions had names.
    ['SPRING', ['메인 1', '메인 2', '레시피', 'SPRING']],
  ])('at %s is assigned to a position by its name', async (code, names) => {
    server.use(http.get('*/api/console/banners/b1', () => HttpResponse.json({ banner: { ...stored, code } })))
    renderPage(<ResourcePage def={banner} id="b1" />, '/console/banners/b1')
    const place = await screen.findByLabelText<HTMLSelectElement>(/^배너 위치/)
    expect(place.value).toBe(code)
    expect([...place.options].map((option) => option.label || option.textContent)).toEqual(names)
    await userEvent.selectOptions(place, '레시피')
    await save()
    await waitFor(() => expect(sent).toEqual([{ code: 'RECIPE', version: 1 }]))
  })

  it('has slides that can be moved by keyboard, get a picture, and are previewed', async () => {
    renderPage(<ResourcePage def={banner} id="b1" />, '/console/banners/b1')
    await userEvent.click(await screen.findByRole('button', { name: '슬라이드 2 위로' }))
    await userEvent.click(screen.getByRole('button', { name: '슬라이드 추가' }))
    const third = within(screen.getByRole('listitem', { name: '슬라이드 3' }))
    await userEvent.upload(third.getByLabelText(/사진 선택/), new File(['x'], '봄_배너.png', { type: 'image/png' }))
    await waitFor(() => expect(third.getByLabelText<HTMLInputElement>(/대체 텍스트/).value).toBe('봄 배너'))
    // maximum length from the server's schema
    expect(third.getByLabelText<HTMLInputElement>(/대체 텍스트/).maxLength).toBe(200)
    expect(await a11yViolations()).toEqual([])
    await save()
    await waitFor(() => expect(sent).toHaveLength(1))
    const now = sent[0]?.slides as Record<string, unknown>[]
    expect(now.map((slide) => slide._id)).toEqual(['s2', 's1', undefined])
    expect(now[2]?.image).toEqual({ url: '/files/new.webp', alt: '봄 배너' })
    expect(Object.keys(sent[0] ?? {}).sort()).toEqual(['slides', 'version'])
    expect(JSON.stringify(now)).not.toContain('$key')
  })
})

it('a value added to a code is in use', async () => {
  renderPage(<ResourcePage def={shopCode} />, '/console/shop/codes')
  await userEvent.click(await screen.findByRole('button', { name: '값 추가' }))
  const added = within(screen.getByRole('listitem', { name: '값 1' }))
  expect(added.getByRole<HTMLInputElement>('checkbox', { name: '사용' }).checked).toBe(true)
})

describe('a picture', () => {
  it('refused by the server shows why', async () => {
    server.use(
      http.get('*/api/console/banners/b1', () =>
        HttpResponse.json({ banner: { _id: 'b1', version: 1, name: '메인', code: 'MAIN_1', slides: [{ _id: 's1' }] } }),
      ),
      http.get('*/api/console/banners/b1/history', () => HttpResponse.json({ events: [] })),
      http.post('*/api/console/files', () =>
        HttpResponse.json(
          {
            error: {
              code: 'invalid',
              message: '입력한 내용을 확인해 주세요.',
              fields: [{ field: 'image', code: 'broken_image', message: '사진을 읽을 수 없습니다.' }],
            },
          },
          { status: 400 },
        ),
      ),
    )
    renderPage(<ResourcePage def={banner} id="b1" />, '/console/banners/b1')
    await userEvent.upload(await screen.findByLabelText(/사진 선택/), new File(['x'], 'a.png', { type: 'image/png' }))
    expect(await screen.findByText('사진을 읽을 수 없습니다.')).toBeTruthy()
  })
})

describe('drafts', () => {
  const fields: Field[] = [
    { name: 'price', label: '정가', type: 'amount', min: 0 },
    { name: 'issue.startsAt', label: '시작', type: 'datetime' },
    { name: 'brand', label: '브랜드', type: 'text' },
    { name: 'rate', label: '비율', type: 'percent' },
    { name: 'conf', label: '설정', type: 'json' },
    { name: 'rounds', label: '회차', type: 'numbers' },
    { name: 'hashtags', label: '해시태그', type: 'tags', maxLength: 5 },
    {
      name: 'steps',
      label: '구간',
      type: 'list',
      of: [
        { name: '_id', label: '번호', type: 'text', readOnly: true },
        { name: 'amount', label: '금액', type: 'amount', required: true },
      ],
    },
  ]
  const document = {
    price: 129050,
    issue: { startsAt: '2026-03-01T15:00:00Z', isActive: true },
    rounds: [1, 3],
    steps: [{ _id: 'a', amount: 300, kept: true }],
  }
  const begun = toDraft(fields, document)

  it('are read and written without loss', () => {
    expect(begun).toMatchObject({ price: '1,290.50', issue: { startsAt: '2026-03-02T00:00' }, brand: '' })
    expect(fromDraft(fields, document, begun, begun)).toEqual({ changes: {}, faults: {} })
  })
  it('keep the other properties of an object', () => {
    const draft = setIn(begun, 'issue.startsAt', '2999-12-31T09:30')
    expect(fromDraft(fields, document, begun, draft).changes).toEqual({
      issue: { startsAt: '2999-12-31T09:30:00+09:00', isActive: true },
    })
  })
  it('keep unknown properties of list items, and send amounts as hundredths', () => {
    const draft = setIn(begun, 'steps.0.amount', '4.5')
    expect(fromDraft(fields, document, begun, draft).changes).toEqual({
      steps: [{ _id: 'a', amount: 450, kept: true }],
    })
  })
  it('send whole numbers as numbers', () => {
    const draft = setIn(begun, 'rounds', ['1', '3', '12'])
    expect(fromDraft(fields, document, begun, draft).changes).toEqual({ rounds: [1, 3, 12] })
    expect(fromDraft(fields, document, begun, setIn(begun, 'rounds', [])).changes).toEqual({ rounds: [] })
  })
  it('report errors with their path', () => {
    const draft = [
      ['price', '-1'],
      ['rate', '101'],
      ['conf', '{'],
      ['rounds', ['1', '둘']],
      ['hashtags', ['자전거', '여섯글자낱말']],
      ['steps.0.amount', ''],
    ].reduce((now, [path, value]) => setIn(now, String(path), value), begun)
    expect(Object.keys(fromDraft(fields, document, begun, draft).faults)).toEqual([
      'price',
      'rate',
      'conf',
      'rounds',
      'hashtags',
      'steps.0.amount',
    ])
    expect(getIn(draft, 'steps.0.amount')).toBe('')
  })
})
