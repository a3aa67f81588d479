// A new product. What somebody of the staff makes is sold by the shop itself; the server makes a seller's product the seller's.
import { useSession } from '../../api/session'
import { ResourcePage } from '../kit/ResourcePage'
import { product } from '../resources/product'

export function Component() {
  const me = useSession((s) => s.payload?._user)
  return <ResourcePage def={product} starts={{ _seller: me }} />
}
