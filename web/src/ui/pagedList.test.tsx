// A page of a list in each of its states.
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { usePage } from '../lib/usePage'
import { renderPage } from '../testing/render'
import { PagedList } from './PagedList'

type Answer = { summary: { totalCount: number }; rows: string[] }
type Query = Parameters<typeof PagedList<Answer>>[0]['query']
const read = (part: Partial<Query>) =>
  ({ data: undefined, error: null, refetch: vi.fn(), isPlaceholderData: false, ...part }) as unknown as Query
const answer = (totalCount: number, ...rows: string[]): Answer => ({ summary: { totalCount }, rows })

function List({ query, onPage }: { query: Query; onPage?: (page: number) => void }) {
  const { page, hrefOf } = usePage()
  const way = onPage ? { onPage } : { hrefOf }
  return (
    <main>
      <h1>목록</h1>
      <PagedList query={query} page={page} size={2} skeleton={<i>뼈대</i>} empty={<p>없습니다</p>} {...way}>
        {({ rows }) => (
          <ul>
            {rows.map((row) => (
              <li key={row}>{row}</li>
            ))}
          </ul>
        )}
      </PagedList>
    </main>
  )
}
const pages = () => screen.queryByRole('navigation', { name: '페이지' })

it('is a skeleton until the first response', () => {
  renderPage(<List query={read({})} />, '/')
  expect(screen.getByRole('status').textContent).toContain('뼈대')
  expect(pages()).toBeNull()
})

it('shows an error, and retries', async () => {
  const query = read({ error: new Error('끊겼습니다') })
  renderPage(<List query={query} />, '/')
  expect(screen.getByRole('alert').textContent).toContain('끊겼습니다')
  await userEvent.click(screen.getByRole('button', { name: '다시 시도' }))
  expect(query.refetch).toHaveBeenCalledOnce()
})

it('keeps its rows when a refetch fails', () => {
  renderPage(<List query={read({ data: answer(1, '하나'), error: new Error('끊겼습니다') })} />, '/')
  expect(screen.getByRole('listitem').textContent).toBe('하나')
  expect(screen.queryByRole('alert')).toBeNull()
})

it('shows that it is empty', () => {
  renderPage(<List query={read({ data: answer(0) })} />, '/')
  expect(screen.getByText('없습니다')).toBeTruthy()
  expect(pages()).toBeNull()
})

it('links to the other pages by the address, and keeps its other parameters', () => {
  renderPage(<List query={read({ data: answer(3, '하나', '둘') })} />, '/list?sort=name')
  expect(screen.getByRole('link', { name: '2 페이지' }).getAttribute('href')).toBe('/list?sort=name&page=2')
})

it('is busy while the next page is loading', () => {
  renderPage(<List query={read({ data: answer(3, '하나', '둘'), isPlaceholderData: true })} />, '/?page=9')
  expect(screen.getByRole('list').parentElement?.getAttribute('aria-busy')).toBe('true')
})

it('falls back to the last page from one that no longer exists', async () => {
  const { router } = renderPage(<List query={read({ data: answer(3) })} />, '/list?page=9')
  await waitFor(() => expect(router.state.location.search).toBe('?page=2'))
  const onPage = vi.fn()
  renderPage(<List query={read({ data: answer(3) })} onPage={onPage} />, '/list?page=9')
  await waitFor(() => expect(onPage).toHaveBeenCalledWith(2))
})
