// The announcements of the shop.
import { ListDetailPage } from '../crud/ListDetailPage'
import { notice } from './resource'

export const Component = () => <ListDetailPage def={notice} />
