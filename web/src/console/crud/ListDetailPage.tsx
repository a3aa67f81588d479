// A kind whose records have no address of their own: the list, and at `?id=` the record.
import { useSearchParams } from 'react-router'
import type { Document } from './formState'
import { ResourceList } from './ResourceList'
import { ResourcePage } from './ResourcePage'
import { NEW, type ResourceDef } from './resourceDefinition'

type ResourceScreenProps = {
  def: ResourceDef
  /** Only records with these values, e.g. `{ code: 'MAIN_1' }`; a new one starts with them. */
  only?: Record<string, string>
  starts?: Document
  title?: string
  /** The same for other places, as tabs. */
  places?: readonly { to: string; label: string }[]
}

export function ResourceScreen({ def, only, starts, title, places }: ResourceScreenProps) {
  const [params] = useSearchParams()
  const id = params.get('id')
  if (!id) return <ResourceList def={def} only={only} title={title} places={places} />
  return <ResourcePage key={id} def={def} id={id === NEW ? undefined : id} starts={{ ...starts, ...only }} />
}
