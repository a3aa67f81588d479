// The shipping groups; a new one belongs to the member who creates it.
import { useSession } from '../../api/session'
import { ListDetailPage } from '../crud/ListDetailPage'
import { shipping } from './resource'

export function Component() {
  const me = useSession((s) => s.payload?._user)
  return <ListDetailPage def={shipping} starts={{ _seller: me }} />
}
