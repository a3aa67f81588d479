// The document a company uploaded when it joined: its registration copy.

import { useApiQuery } from '../../api/query'
import { MY_DOCUMENTS } from '../../features/documents/api'
import { documentKind, ViewDocument } from '../../features/documents/ViewDocument'
import { documentWords } from '../../features/documents/words'
import { fileSize } from '../../lib/files'
import { DateText } from '../../ui/DateText'
import { ErrorState, Loading, Skeleton } from '../../ui/states'

export function MyDocuments() {
  const { data, error, refetch } = useApiQuery(MY_DOCUMENTS)
  return (
    <section aria-labelledby="documents" className="mt-10">
      <h2 id="documents" className="mb-4 font-bold text-xl">
        가입 서류
      </h2>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading>
          <Skeleton className="h-20 rounded-lg" />
        </Loading>
      ) : data.documents.length === 0 ? (
        <p className="text-ink-3">가입할 때 제출한 서류가 없습니다.</p>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line bg-raised px-5">
          {data.documents.map((document) => (
            <li key={document._id} className="flex items-center justify-between gap-4 py-4">
              <div className="min-w-0">
                <p className="font-medium">{documentWords.copy}</p>
                <p className="figures text-ink-3 text-sm">
                  {documentKind(document)} · {fileSize(document.size)} ·{' '}
                  <DateText value={document.uploadedAt} style="datetime" /> 제출
                </p>
              </div>
              <ViewDocument document={document} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
