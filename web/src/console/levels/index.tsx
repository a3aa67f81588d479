// The levels; with a code in the address only that one.
import { useParams } from 'react-router'
import { ListDetailPage } from '../crud/ListDetailPage'
import { ResourcePageByCode } from '../crud/ResourcePageByCode'
import { level } from './resource'

export function Component() {
  const { code } = useParams()
  return code ? <ResourcePageByCode key={code} def={level} code={code} /> : <ListDetailPage def={level} />
}
