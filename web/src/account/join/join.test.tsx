// Joining: no form without the terms, prompts for each field, and what is sent.
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import { endSession, setAgreements, useSession } from '../../api/session'
import { faults } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { Component as Agreement } from './agreement'
import { Component as Form } from './form'

withServer()
beforeEach(endSession)

describe('/join/agreement', () => {
  it('goes on only with the needed terms', async () => {
    const { router } = renderPage(<Agreement />, '/join/agreement')
    await userEvent.click(screen.getByRole('button', { name: '다음' }))
    expect(screen.getByText('필수 약관에 동의해 주세요.')).toBeTruthy()
    await userEvent.click(screen.getByLabelText('모두 동의합니다'))
    expect(await faults()).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: '다음' }))
    expect(router.state.location.pathname).toBe('/join/form')
    expect(useSession.getState().agreements).toContain('privacy')
  })
})

describe('/join/form', () => {
  it('sends one back who has not agreed', () => {
    const { router } = renderPage(<Form />, '/join/form')
    expect(router.state.location.pathname).toBe('/join/agreement')
  })

  it('prompts for every field, a company for its own too (V128-V148)', async () => {
    setAgreements(['age', 'service', 'privacy'])
    renderPage(<Form />, '/join/form?type=COMPANY')
    await userEvent.click(screen.getByRole('button', { name: '가입하기' }))
    expect(screen.getAllByRole('alert')).toHaveLength(11)
    expect(screen.getByText('사업자등록증 사본을 첨부해 주세요.')).toBeTruthy()
    expect(await faults()).toEqual([])
  })

  it('sends the member, and shows what the server says about a field', async () => {
    setAgreements(['age', 'service', 'privacy'])
    const bodies: unknown[] = []
    server.use(
      http.post('*/api/v1/users', async ({ request }) => {
        bodies.push(await request.json())
        return bodies.length === 1
          ? HttpResponse.json(
              {
                error: {
                  code: 'invalid',
                  message: 'm',
                  fields: [{ field: 'username', code: 'taken', message: '이미 쓰고 있는 아이디입니다.' }],
                },
              },
              { status: 422 },
            )
          : HttpResponse.json({})
      }),
    )
    const { router } = renderPage(<Form />, '/join/form')
    const typed = {
      아이디: 'hong123',
      이름: '홍길동',
      닉네임: '길동이',
      이메일: 'hong@shop.kr',
      '휴대폰 번호': '01012345678',
    }
    for (const [label, value] of Object.entries(typed))
      await userEvent.type(screen.getByLabelText(new RegExp(`^${label}`)), value)
    await userEvent.type(screen.getByLabelText(/^비밀번호\*?$/), 'secret!123')
    await userEvent.type(screen.getByLabelText(/^비밀번호 확인/), 'secret!123')
    await userEvent.click(screen.getByRole('button', { name: '가입하기' }))
    expect(await screen.findByText('이미 쓰고 있는 아이디입니다.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '가입하기' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/join/done'))
    expect(bodies[0]).toMatchObject({
      username: 'hong123',
      phone: '01012345678',
      type: 'PERSON',
      _terms: ['age', 'service', 'privacy'],
    })
    expect(bodies[0]).not.toHaveProperty('password2')
    expect(bodies[0]).not.toHaveProperty('companyName')
  })
})
