// The levels; with a code in the address that one.
import { useParams } from 'react-router'
import { ResourceScreen } from '../crud/ListDetailPage'
import { ByCode } from '../crud/ResourcePageByCode'
import { level } from './resource'

export function Component() {
  const { code } = useParams()
  return code ? <ByCode key={code} def={level} code={code} /> : <ResourceScreen def={level} />
}
