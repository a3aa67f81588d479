// The showrooms; with a code in the address that one.
import { useParams } from 'react-router'
import { ResourceScreen } from '../crud/ListDetailPage'
import { ByCode } from '../crud/ResourcePageByCode'
import { showroom } from './resource'

export function Component() {
  const { code } = useParams()
  return code ? <ByCode key={code} def={showroom} code={code} /> : <ResourceScreen def={showroom} />
}
