// The tools below a text, which come with its form and not with the list.
import { missing, optional } from '../../ui/Optional'
import { Loading, Skeleton } from '../../ui/states'
import type { CustomField } from '../crud/resourceDefinition'

const TextTools = optional(() => import('./TextTools'), {
  waiting: () => (
    <Loading>
      <Skeleton className="h-24" />
    </Loading>
  ),
  instead: missing,
})

/** Variables, the built-in text, a preview and a test mail. */
export const tools: CustomField = { paths: [], component: TextTools }
