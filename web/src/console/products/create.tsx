// A new product. It belongs to the member who creates it unless staff choose a seller.
import { useSession } from '../../api/session'
import { ResourcePage } from '../crud/ResourcePage'
import { product } from './resource'

export function Component() {
  const me = useSession((s) => s.payload?._user)
  return <ResourcePage def={product} starts={{ _seller: me }} />
}
