// The UI kit: screen readers, keyboard and pointer.
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type FormEvent, useState } from 'react'
import { MemoryRouter } from 'react-router'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { a11yViolations } from '../testing/axe'
import { Button } from './Button'
import { RadioGroup } from './Checkbox'
import { ConfirmHost, confirmDialog } from './confirm'
import { type Column, DataTable } from './DataTable'
import { DateText } from './DateText'
import { Dialog } from './Dialog'
import { Field } from './Field'
import { Input, PhoneInput } from './Input'
import { Price } from './Money'
import { NumberStepper } from './NumberStepper'
import { Pagination } from './Pagination'
import { Picture } from './Picture'
import { Switch } from './Switch'

describe('Field', () => {
  it('associates label, hint and error with its control', async () => {
    const { rerender } = render(
      <Field label="이름" hint="두 글자 이상">
        <Input />
      </Field>,
    )
    expect(screen.getByLabelText('이름')).toHaveProperty('ariaInvalid', null)
    expect(
      document.getElementById(screen.getByLabelText('이름').getAttribute('aria-describedby') ?? '')?.textContent,
    ).toBe('두 글자 이상')
    rerender(
      <Field label="이름" error="이름을 입력해 주세요." required>
        <Input />
      </Field>,
    )
    const input = screen.getByLabelText(/이름/)
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      '이름을 입력해 주세요.',
    )
    expect(await a11yViolations()).toEqual([])
  })
})

describe('Button', () => {
  it('refuses clicks while busy and keeps its name', async () => {
    const click = vi.fn()
    render(
      <Button busy onClick={click}>
        결제하기
      </Button>,
    )
    await userEvent.click(screen.getByRole('button', { name: '결제하기' }))
    expect(click).not.toHaveBeenCalled()
  })
})

/** Whether a button is disabled, in either way. */
const isOff = (button: HTMLElement) => button.ariaDisabled === 'true'

describe('a button that is disabled by its own click', () => {
  it('keeps the focus while it is busy, and submits no form', async () => {
    const submit = vi.fn((event: FormEvent) => event.preventDefault())
    const Form = () => {
      const [busy, setBusy] = useState(false)
      return (
        <form onSubmit={submit}>
          <input aria-label="이름" />
          <Button type="submit" busy={busy} onClick={() => setBusy(true)}>
            저장
          </Button>
        </form>
      )
    }
    render(<Form />)
    const save = screen.getByRole('button', { name: '저장' })
    save.focus()
    await userEvent.keyboard('{Enter}')
    expect(isOff(save)).toBe(true)
    expect(document.activeElement).toBe(save)
    await userEvent.keyboard('{Enter} ')
    await userEvent.type(screen.getByLabelText('이름'), '김{Enter}')
    expect(submit).toHaveBeenCalledTimes(1)
    expect(await a11yViolations()).toEqual([])
  })

  it('keeps it at the end of its range: quantities, pages, switches', async () => {
    const Ends = () => {
      const [count, setCount] = useState(2)
      const [page, setPage] = useState(1)
      const [saving, setSaving] = useState(false)
      return (
        <>
          <NumberStepper value={count} onValueChange={setCount} />
          <Pagination page={page} pages={2} onPage={setPage} />
          <Switch label="알림" on={false} disabled={saving} onToggle={() => setSaving(true)} />
        </>
      )
    }
    render(<Ends />)
    const less = screen.getByRole('button', { name: '수량 줄이기' })
    const next = screen.getByRole('button', { name: '다음' })
    const notices = screen.getByRole('switch', { name: '알림' })
    for (const pressed of [less, next, notices]) {
      pressed.focus()
      await userEvent.keyboard(' ')
      expect(isOff(pressed)).toBe(true)
      expect(document.activeElement).toBe(pressed)
    }
  })
})

describe('a double click', () => {
  it('on a button that can be busy sends once, however fast the response is', async () => {
    const send = vi.fn()
    const submit = vi.fn((event: FormEvent) => event.preventDefault())
    render(
      <form onSubmit={submit}>
        <Button busy={false} onClick={send}>
          취소하기
        </Button>
        <Button type="submit" busy={false}>
          저장
        </Button>
      </form>,
    )
    await userEvent.dblClick(screen.getByRole('button', { name: '취소하기' }))
    await userEvent.dblClick(screen.getByRole('button', { name: '저장' }))
    expect(send).toHaveBeenCalledTimes(1)
    expect(submit).toHaveBeenCalledTimes(1)
    await userEvent.click(screen.getByRole('button', { name: '취소하기' }))
    expect(send).toHaveBeenCalledTimes(2)
  })

  it('counts twice on a button that only changes the page', async () => {
    const add = vi.fn()
    render(<Button onClick={add}>옵션 추가</Button>)
    await userEvent.dblClick(screen.getByRole('button', { name: '옵션 추가' }))
    expect(add).toHaveBeenCalledTimes(2)
  })
})

describe('PhoneInput', () => {
  it('shows 3-4-4 while typing (V138)', async () => {
    function Phone() {
      const [value, setValue] = useState('')
      return (
        <Field label="전화">
          <PhoneInput value={value} onValueChange={setValue} />
        </Field>
      )
    }
    render(<Phone />)
    await userEvent.type(screen.getByLabelText('전화'), '01012345678')
    expect(screen.getByLabelText<HTMLInputElement>('전화').value).toBe('010-1234-5678')
  })
})

describe('NumberStepper', () => {
  function Stepper({ max }: { max: number }) {
    const [value, setValue] = useState(1)
    return <NumberStepper value={value} onValueChange={setValue} max={max} />
  }
  it('stays within its bounds, by button, key and typing', async () => {
    render(<Stepper max={3} />)
    const number = screen.getByRole<HTMLInputElement>('textbox', { name: '수량' })
    expect(isOff(screen.getByRole('button', { name: '수량 줄이기' }))).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: '수량 늘리기' }))
    expect(number.value).toBe('2')
    await userEvent.clear(number)
    await userEvent.type(number, '99{Enter}')
    expect(number.value).toBe('3')
    await userEvent.clear(number)
    await userEvent.tab()
    expect(number.value).toBe('3')
    expect(await a11yViolations()).toEqual([])
  })

  it('shows that a typed number was bounded, until another one is entered', async () => {
    render(<Stepper max={12} />)
    const number = screen.getByRole<HTMLInputElement>('textbox', { name: '수량' })
    await userEvent.clear(number)
    await userEvent.type(number, '9999{Enter}')
    expect(number.value).toBe('12')
    expect(screen.getByRole('alert').textContent).toBe('12개까지 선택할 수 있습니다.')
    await userEvent.clear(number)
    await userEvent.type(number, '0{Enter}')
    expect(number.value).toBe('1')
    expect(screen.getByRole('alert').textContent).toBe('1개부터 선택할 수 있습니다.')
    await userEvent.click(screen.getByRole('button', { name: '수량 늘리기' }))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(await a11yViolations()).toEqual([])
  })

  describe('with text that is not an integer', () => {
    const onValueChange = vi.fn()
    const onSend = vi.fn()
    function Sheet() {
      const [value, setValue] = useState(3)
      const change = (next: number) => {
        onValueChange(next)
        setValue(next)
      }
      return (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            onSend(value)
          }}
        >
          <NumberStepper value={value} onValueChange={change} max={20} />
          <Button type="submit">보내기</Button>
        </form>
      )
    }
    const number = () => screen.getByRole<HTMLInputElement>('textbox', { name: '수량' })
    const send = () => userEvent.click(screen.getByRole('button', { name: '보내기' }))
    const type = async (text: string) => {
      await userEvent.clear(number())
      await userEvent.type(number(), text)
    }
    beforeEach(() => {
      onValueChange.mockClear()
      onSend.mockClear()
      render(<Sheet />)
    })

    it.each(['1.5', '-2', '1e1', '0x2', '2개', '+4'])('keeps the last one and shows a note: %s', async (text) => {
      await type(text)
      expect(number().value).toBe(text)
      expect(number().getAttribute('aria-invalid')).toBe('true')
      expect(screen.getByRole('alert').textContent).toBe('소수점이나 기호 없이 숫자만 입력해 주세요.')
      await userEvent.keyboard('{Enter}')
      expect(number().value).toBe('3')
      expect(screen.getByRole('alert').textContent).toBe(
        `‘${text}’ 대신 3개로 되돌렸습니다. 소수점이나 기호 없이 숫자만 입력해 주세요.`,
      )
      expect(onValueChange).not.toHaveBeenCalled()
      expect(onSend).not.toHaveBeenCalled()
      expect(await a11yViolations()).toEqual([])
    })

    it('shows a note for empty text', async () => {
      await userEvent.clear(number())
      expect(screen.queryByRole('alert')).toBeNull()
      await userEvent.tab()
      expect(number().value).toBe('3')
      expect(screen.getByRole('alert').textContent).toBe('수량이 비어 있어 3개로 되돌렸습니다.')
    })

    it.each(['1.5', '{Backspace}'])('sends nothing by the click that leaves it: %s', async (text) => {
      await type(text)
      await send()
      expect(onSend).not.toHaveBeenCalled()
      expect(number().value).toBe('3')
      await send()
      expect(onSend).toHaveBeenCalledExactlyOnceWith(3)
    })

    it('sends nothing by a click that does not blur it, as on some phones', async () => {
      await type('1.5')
      fireEvent.click(screen.getByRole('button', { name: '보내기' }))
      expect(onSend).not.toHaveBeenCalled()
      expect(number().value).toBe('3')
    })

    it('does not interfere once it is corrected or was left by keyboard', async () => {
      await type('1.5')
      await userEvent.keyboard('{Backspace}{Backspace}2')
      expect(screen.queryByRole('alert')).toBeNull()
      await send()
      expect(onSend).toHaveBeenLastCalledWith(12)
      await type('1.5')
      await userEvent.tab()
      await userEvent.tab()
      await userEvent.keyboard('{Enter}')
      expect(onSend).toHaveBeenCalledTimes(2)
      expect(onSend).toHaveBeenLastCalledWith(12)
    })

    it('lets its own buttons change the number', async () => {
      await type('1.5')
      await userEvent.click(screen.getByRole('button', { name: '수량 늘리기' }))
      expect(number().value).toBe('4')
      expect(screen.queryByRole('alert')).toBeNull()
    })
  })
})

describe('Pagination', () => {
  it('has eleven numbers at most and marks the current one (V241)', async () => {
    const onPage = vi.fn()
    render(<Pagination page={20} pages={40} onPage={onPage} />)
    expect(screen.getAllByRole('button', { name: /^\d+ 페이지$/ })).toHaveLength(11)
    expect(screen.getByRole('button', { current: 'page' }).textContent).toBe('20')
    await userEvent.click(screen.getByRole('button', { name: '다음' }))
    expect(onPage).toHaveBeenCalledWith(21)
    expect(await a11yViolations()).toEqual([])
  })
  it('consists of links if pages have addresses', () => {
    render(
      <MemoryRouter>
        <Pagination page={1} pages={2} hrefOf={(n) => `/p?page=${n}`} />
      </MemoryRouter>,
    )
    expect(screen.getByRole('link', { name: '2 페이지' }).getAttribute('href')).toBe('/p?page=2')
    expect(isOff(screen.getByRole('button', { name: '이전' }))).toBe(true)
  })
})

type Row = { id: string; name: string; paid: number }
const COLUMNS: Column<Row>[] = [
  { id: 'name', header: '상품', cell: (row) => row.name },
  { id: 'paid', header: '금액', cell: (row) => row.paid, sortable: true },
]
const ROWS = [
  { id: 'a', name: '자전거', paid: 1 },
  { id: 'b', name: '주스', paid: 2 },
]

describe('DataTable', () => {
  it('lets the server sort and page, and keeps rows selected on other pages', async () => {
    const onSort = vi.fn()
    const onSelected = vi.fn()
    const onPage = vi.fn()
    render(
      <DataTable
        caption="구매 목록"
        columns={COLUMNS}
        rows={ROWS}
        rowId={(row) => row.id}
        total={30}
        page={1}
        size={2}
        onPage={onPage}
        onSort={onSort}
        selected={['from-page-2']}
        onSelected={onSelected}
      />,
    )
    const table = screen.getByRole('table', { name: '구매 목록' })
    // Rows stay in the server's order.
    expect(
      within(table)
        .getAllByRole('row')
        .slice(1)
        .map((row) => within(row).getAllByRole('cell')[1]?.textContent),
    ).toEqual(['자전거', '주스'])
    await userEvent.click(within(table).getByRole('button', { name: '금액' }))
    expect(onSort).toHaveBeenCalledWith(expect.objectContaining({ id: 'paid' }))
    await userEvent.click(within(table).getByRole('checkbox', { name: '2번째 행 선택' }))
    expect(onSelected).toHaveBeenCalledWith(['from-page-2', 'b'])
    await userEvent.click(screen.getByRole('button', { name: '2 페이지' }))
    expect(onPage).toHaveBeenCalledWith(2)
    expect(screen.getByText('전체 30건')).toBeTruthy()
    expect(await a11yViolations()).toEqual([])
  })
  it('shows that it is empty', () => {
    render(
      <DataTable
        caption="없음"
        columns={COLUMNS}
        rows={[]}
        rowId={(row) => row.id}
        total={0}
        page={1}
        size={20}
        onPage={() => undefined}
      />,
    )
    expect(screen.getByText('표시할 내용이 없습니다.')).toBeTruthy()
  })
})

describe('Price (V059-V061)', () => {
  it('strikes the list price and shows the rate only when discounted', () => {
    const { container, rerender } = render(<Price price={159_000} salePrice={129_000} discountRate={18} />)
    expect(container.querySelector('s')?.textContent).toBe('$1,590.00')
    expect(container.textContent).toContain('18%')
    rerender(<Price price={129_000} salePrice={129_000} discountRate={0} />)
    expect(container.querySelector('s')).toBeNull()
    expect(container.textContent).not.toContain('%')
  })
})

describe('choices and layers', () => {
  it('radio cards report the choice', async () => {
    const onValueChange = vi.fn()
    render(
      <RadioGroup
        legend="결제수단"
        look="card"
        value="card"
        onValueChange={onValueChange}
        options={[
          { value: 'card', label: '카드' },
          { value: 'vbank', label: '가상계좌' },
        ]}
      />,
    )
    await userEvent.click(screen.getByLabelText('가상계좌'))
    expect(onValueChange).toHaveBeenCalledWith('vbank')
    expect(await a11yViolations()).toEqual([])
  })
  it('a dialog has a name, traps the focus and closes on Escape', async () => {
    const onOpenChange = vi.fn()
    render(
      <Dialog open onOpenChange={onOpenChange} title="배송지">
        <input aria-label="받는 분" />
      </Dialog>,
    )
    const dialog = await screen.findByRole('dialog', { name: '배송지' })
    expect(dialog.contains(document.activeElement)).toBe(true)
    await userEvent.keyboard('{Escape}')
    expect(onOpenChange).toHaveBeenCalledWith(false)
    expect(await a11yViolations(dialog)).toEqual([])
  })
  it('the second click of a double click does not reach the content under a closed layer', async () => {
    const under = vi.fn()
    function Page() {
      const [open, setOpen] = useState(true)
      return (
        <>
          <button type="button" onClick={under}>
            카테고리
          </button>
          <Dialog open={open} onOpenChange={setOpen} title="옵션 선택">
            <button type="button" onClick={() => setOpen(false)}>
              장바구니
            </button>
          </Dialog>
        </>
      )
    }
    render(<Page />)
    const press = (name: string, detail: number) => act(() => screen.getByText(name).dispatchEvent(pressed(detail)))
    press('장바구니', 1)
    press('카테고리', 2)
    expect(under).not.toHaveBeenCalled()
    press('카테고리', 1)
    expect(under).toHaveBeenCalledTimes(1)
  })
  it('nor when a busy page handles it late', async () => {
    const under = vi.fn()
    const page = (open: boolean) => (
      <>
        <button type="button" onClick={under}>
          카테고리
        </button>
        <Dialog open={open} onOpenChange={() => undefined} title="옵션 선택" />
      </>
    )
    const { rerender } = render(page(true))
    // Clicked before the layer was removed, and queued for long after.
    const second = pressed(2)
    rerender(page(false))
    const now = performance.now()
    vi.spyOn(performance, 'now').mockReturnValue(now + 2000)
    screen.getByText('카테고리').dispatchEvent(second)
    vi.restoreAllMocks()
    expect(under).not.toHaveBeenCalled()
  })
  it('a confirmation resolves to yes, or to no on Escape', async () => {
    render(<ConfirmHost />)
    const first = confirmDialog({ title: '취소할까요?', yes: '네' })
    await userEvent.click(await screen.findByRole('button', { name: '네' }))
    expect(await first).toBe(true)
    const second = confirmDialog({ title: '지울까요?' })
    await screen.findByRole('alertdialog', { name: '지울까요?' })
    await userEvent.keyboard('{Escape}')
    expect(await second).toBe(false)
  })
})

/** A click at this time; jsdom's `timeStamp` has another origin than browsers'. */
const pressed = (detail: number) =>
  Object.defineProperty(new MouseEvent('click', { bubbles: true, detail }), 'timeStamp', { value: performance.now() })

describe('DateText', () => {
  it('can show the time below the day, with the same text', () => {
    render(<DateText value="2026-11-24T03:04:00Z" style="datetime" folds />)
    const day = screen.getByText('2026. 11. 24.')
    expect(day.closest('time')?.textContent).toBe('2026. 11. 24. 12:04')
  })
})

describe('Picture', () => {
  it('uses the sizes of the server', () => {
    render(<Picture src="/pictures/A.webp" alt="로드 바이크" sizes="80px" />)
    const img = screen.getByRole('img', { name: '로드 바이크' })
    expect(img.getAttribute('srcset')).toContain('/pictures/A-200.webp 200w')
    expect(img.getAttribute('sizes')).toBe('80px')
  })
  it('becomes a plain tile when it cannot be loaded', async () => {
    render(<Picture src="/gone.webp" alt="로드 바이크" />)
    screen.getByRole('img', { name: '로드 바이크' }).dispatchEvent(new Event('error'))
    expect(await screen.findByText('사진 준비 중', { exact: false })).toBeTruthy()
    expect(screen.queryByRole('img')).toBeNull()
    // Once the connection is back, it is loaded again.
    act(() => void window.dispatchEvent(new Event('online')))
    expect(screen.getByRole('img', { name: '로드 바이크' })).toBeTruthy()
  })
})
