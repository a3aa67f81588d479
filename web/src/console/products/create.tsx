// A new product. What somebody of the staff makes is the shop's own unless they choose a seller; a seller's is the seller's.
import { useSession } from '../../api/session'
import { ResourcePage } from '../crud/ResourcePage'
import { product } from './resource'

export function Component() {
  const me = useSession((s) => s.payload?._user)
  return <ResourcePage def={product} starts={{ _seller: me }} />
}
