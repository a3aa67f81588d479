// The showrooms; with a code in the address that one.
import { useParams } from 'react-router'
import { ByCode } from '../kit/ByCode'
import { ResourceScreen } from '../kit/ResourceScreen'
import { showroom } from '../resources/showroom'

export function Component() {
  const { code } = useParams()
  return code ? <ByCode key={code} def={showroom} code={code} /> : <ResourceScreen def={showroom} />
}
