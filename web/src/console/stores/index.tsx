// The stores. New ones belong to the member who creates them unless staff choose a seller.
import { useSession } from '../../api/session'
import { ListDetailPage } from '../crud/ListDetailPage'
import { store } from './resource'

export function Component() {
  const me = useSession((s) => s.payload?._user)
  return <ListDetailPage def={store} starts={{ _seller: me }} />
}
