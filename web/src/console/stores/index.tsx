// The stores. What somebody of the staff makes is the shop's own unless they choose a seller; a seller's is the seller's.
import { useSession } from '../../api/session'
import { ListDetailPage } from '../crud/ListDetailPage'
import { store } from './resource'

export function Component() {
  const me = useSession((s) => s.payload?._user)
  return <ListDetailPage def={store} starts={{ _seller: me }} />
}
