// The levels; with a code in the address that one.
import { useParams } from 'react-router'
import { ByCode } from '../kit/ByCode'
import { ResourceScreen } from '../kit/ResourceScreen'
import { level } from '../resources/level'

export function Component() {
  const { code } = useParams()
  return code ? <ByCode key={code} def={level} code={code} /> : <ResourceScreen def={level} />
}
