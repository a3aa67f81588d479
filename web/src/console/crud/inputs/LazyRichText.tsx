// A text with headings, lists and pictures. The editor is large, so it is loaded only where such a text is edited.
import { Fieldset } from '../../../ui/Field'
import { missing, optional } from '../../../ui/Optional'
import { Loading, Skeleton } from '../../../ui/states'

const RichText = optional(() => import('./RichText'), {
  waiting: () => (
    <Loading>
      <Skeleton className="h-52" />
    </Loading>
  ),
  instead: missing,
})

export type RichTextProps = {
  label: string
  value: string
  onValueChange: (html: string) => void
  disabled?: boolean
}

export const LazyRichText = ({ error, className, ...rest }: RichTextProps & { error?: string; className?: string }) => (
  <Fieldset legend={rest.label} error={error} className={className}>
    <RichText {...rest} />
  </Fieldset>
)
