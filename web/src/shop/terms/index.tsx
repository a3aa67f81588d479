// The current terms, by code: service, privacy, and others of the shop.
import { useParams } from 'react-router'
import { toApiError } from '../../api/errors'
import { useTerms } from '../../features/terms/api'
import { useTitle } from '../../lib/pageContext'
import { ButtonLink } from '../../ui/Button'
import { DateText } from '../../ui/DateText'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states'
import { TabLinks } from '../../ui/Tabs'

const NOT_FOUND = 404

export function Component() {
  const { code = '' } = useParams()
  const { data, error, refetch } = useTerms(code)
  const terms = data?.terms
  useTitle(terms?.name)
  return (
    <main id="content" className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
      <TabLinks
        label="약관과 정책"
        tabs={[
          { to: '/terms/service', label: '이용약관' },
          { to: '/terms/privacy', label: '개인정보처리방침' },
          { to: '/terms/marketing', label: '마케팅 정보 수신' },
        ]}
      />
      {terms ? (
        <article className="mt-8">
          <h1 className="font-extrabold text-3xl">{terms.name}</h1>
          {terms.startsAt && (
            <p className="figures mt-2 text-ink-3 text-sm">
              <DateText value={terms.startsAt} /> 시행
              {terms.edition !== undefined && ` · 제${terms.edition}판`}
            </p>
          )}
          <h2 className="sr-only">내용</h2>
          <div
            className="prose-shop mt-6"
            // Sanitised by the server.
            dangerouslySetInnerHTML={{ __html: terms.content }}
          />
        </article>
      ) : error ? (
        <>
          <h1 className="sr-only">약관</h1>
          {toApiError(error).status === NOT_FOUND ? (
            <EmptyState title="찾으시는 약관이 없습니다" action={<ButtonLink to="/">홈으로</ButtonLink>} />
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )}
        </>
      ) : (
        <Loading className="mt-8 grid gap-3">
          <Skeleton className="h-9 w-48" />
          <Skeleton className="h-96" />
        </Loading>
      )}
    </main>
  )
}
