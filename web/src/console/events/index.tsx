// Events of the shop.
import { ListDetailPage } from '../crud/ListDetailPage'
import { shopEvent } from './resource'

export const Component = () => <ListDetailPage def={shopEvent} />
