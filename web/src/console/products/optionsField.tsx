// The options of a product as a field of its form. The editor is loaded with the form, not with the list.
import { missing, optional } from '../../ui/Optional'
import { Loading, Skeleton } from '../../ui/states'
import type { CustomField } from '../crud/resourceDefinition'

const waiting = () => (
  <Loading>
    <Skeleton className="h-52" />
  </Loading>
)

export const options: CustomField = {
  paths: ['optionsConf', 'options', 'stock'],
  component: optional(() => import('./OptionsEditor'), { waiting, instead: missing }),
}
