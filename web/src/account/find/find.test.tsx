// Finding an id and a password: the same answer for everyone, and links that are used up.
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Component as Find } from './index'

withServer()

const refused = (code: string, message: string) =>
  HttpResponse.json({ error: { code, message, requestId: 'r' } }, { status: 409 })

describe('/login/find-password', () => {
  it('asks for name and address, and says the same whether there is such an account', async () => {
    let body: unknown
    server.use(
      http.post('*/api/v1/users/find-password', async ({ request }) => {
        body = await request.json()
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderPage(<Find />, '/login/find-password')
    await userEvent.click(screen.getByRole('button', { name: '메일 받기' }))
    expect(screen.getByText('아이디를 입력해 주세요.')).toBeTruthy()
    await userEvent.type(screen.getByLabelText('아이디'), ' shopper1 ')
    await userEvent.type(screen.getByLabelText('이메일'), 'shopper1@example.com')
    await userEvent.click(screen.getByRole('button', { name: '메일 받기' }))
    expect((await screen.findByRole('status')).textContent).toContain('가입한 회원이 있으면 메일을 보내 드립니다')
    expect(body).toEqual({ username: 'shopper1', email: 'shopper1@example.com' })
    expect(await a11yViolations()).toEqual([])
  })
})

describe('/login/find-password/:userId', () => {
  it('sets a password with the token behind the hash sign', async () => {
    let body: unknown
    server.use(
      http.post('*/api/v1/users/find-password/m1', async ({ request }) => {
        body = await request.json()
        return new HttpResponse(null, { status: 204 })
      }),
    )
    renderPage(<Find />, '/login/find-password/m1#secret', undefined, '/login/find-password/:userId')
    await userEvent.type(screen.getByLabelText('새 비밀번호'), 'newpass1!')
    await userEvent.type(screen.getByLabelText('새 비밀번호 확인'), 'newpass2!')
    await userEvent.click(screen.getByRole('button', { name: '비밀번호 변경' }))
    expect(body).toBeUndefined()
    await userEvent.clear(screen.getByLabelText('새 비밀번호 확인'))
    await userEvent.type(screen.getByLabelText('새 비밀번호 확인'), 'newpass1!')
    await userEvent.click(screen.getByRole('button', { name: '비밀번호 변경' }))
    expect((await screen.findByRole('status')).textContent).toBe('새 비밀번호로 로그인해 주세요.')
    expect(body).toEqual({ token: 'secret', password: 'newpass1!' })
  })

  it('shows why a link is no longer valid, and the way to begin again', async () => {
    server.use(http.post('*/api/v1/users/find-password/m1', () => refused('link_used', '이미 사용한 링크입니다.')))
    renderPage(<Find />, '/login/find-password/m1#secret', undefined, '/login/find-password/:userId')
    await userEvent.type(screen.getByLabelText('새 비밀번호'), 'newpass1!')
    await userEvent.type(screen.getByLabelText('새 비밀번호 확인'), 'newpass1!')
    await userEvent.click(screen.getByRole('button', { name: '비밀번호 변경' }))
    expect(await screen.findByText('이미 사용한 링크입니다.')).toBeTruthy()
    const again = screen.getByRole('link', { name: '처음부터 다시 하기' })
    expect(again.getAttribute('href')).toBe('/login/find-password')
    expect(await a11yViolations()).toEqual([])
  })

  it('says that an address without its token is not complete', () => {
    renderPage(<Find />, '/login/find-password/m1', undefined, '/login/find-password/:userId')
    expect(screen.getByRole('alert').textContent).toContain('주소가 완전하지 않습니다')
  })
})

describe('/login/find-id', () => {
  it('shows the id at a click, not by itself', async () => {
    let asked = 0
    server.use(
      http.post('*/api/v1/users/find-id/m1', () => {
        asked += 1
        return HttpResponse.json({ username: 'shopper1' })
      }),
    )
    renderPage(<Find />, '/login/find-id/m1#secret', undefined, '/login/find-id/:userId')
    expect(asked).toBe(0)
    await userEvent.click(screen.getByRole('button', { name: '아이디 확인하기' }))
    expect((await screen.findByRole('status')).textContent).toBe('shopper1')
    expect(asked).toBe(1)
  })
})
