// The console's frame: the current page in the menu and the breadcrumbs.
import { act, screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useSession } from '../../api/session'
import { usePageContext } from '../../lib/pageContext'
import { a11yViolations } from '../../testing/axe'
import { renderPage } from '../../testing/render'
import { server, withServer } from '../../testing/server'
import { ConsoleLayout } from './ConsoleLayout'

withServer()

beforeEach(() => {
  server.use(
    http.get('*/api/console/analytics/waiting', () => HttpResponse.json({}, { status: 503 })),
    http.get('*/api/*', () => HttpResponse.json({ user: { notiCount: 0 } })),
  )
  useSession.setState({ payload: { _user: 'u', userType: 'OPERATOR', scope: ['console'] } })
})
afterEach(() => {
  useSession.setState({ payload: undefined })
  usePageContext.setState({ name: undefined, under: undefined })
})

it("shows a ledger under its subject's page", async () => {
  renderPage(<ConsoleLayout />, '/console/ledgers/record/b1')
  expect(screen.queryByRole('link', { current: 'page' })).toBeNull()
  act(() => usePageContext.setState({ name: '레시피 · 문서 기록', under: '/console/banners' }))
  const menu = within(screen.getByRole('navigation', { name: '관리 메뉴' }))
  expect(menu.getByRole('link', { current: 'page' }).textContent).toBe('배너')
  const steps = within(screen.getByRole('navigation', { name: '현재 위치' })).getAllByRole('listitem')
  expect(steps.map((step) => step.textContent)).toEqual(['관리', '배너', '레시피 · 문서 기록'])
  // The dashboard belongs to no group.
  const [dashboard, group] = [menu.getAllByRole('link')[0], menu.getAllByRole('heading')[0]]
  expect([dashboard?.textContent, group?.textContent]).toEqual(['대시보드', '주문'])
  expect(group && dashboard?.compareDocumentPosition(group)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  expect(await a11yViolations()).toEqual([])
})
