// The popups.
import { ListDetailPage } from '../crud/ListDetailPage'
import { popup } from './resource'

export const Component = () => <ListDetailPage def={popup} />
