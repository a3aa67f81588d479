// A text with headings, lists and pictures. The editor is large, so it comes only where such a text is edited.
import { lazy, Suspense } from 'react'
import { Fieldset } from '../../../ui/Field'
import { Loading, Skeleton } from '../../../ui/states'

const RichText = lazy(() => import('./RichText'))

export type RichTextProps = {
  label: string
  value: string
  onValue: (html: string) => void
  disabled?: boolean
}

export const LazyRichText = ({ error, className, ...rest }: RichTextProps & { error?: string; className?: string }) => (
  <Fieldset legend={rest.label} error={error} className={className}>
    <Suspense
      fallback={
        <Loading>
          <Skeleton className="h-52" />
        </Loading>
      }
    >
      <RichText {...rest} />
    </Suspense>
  </Fieldset>
)
