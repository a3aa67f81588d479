// The stores. What somebody of the staff makes is the shop's own unless they choose a seller; a seller's is the seller's.
import { useSession } from '../../api/session'
import { ResourceScreen } from '../kit/ResourceScreen'
import { store } from '../resources/store'

export function Component() {
  const me = useSession((s) => s.payload?._user)
  return <ResourceScreen def={store} starts={{ _seller: me }} />
}
