// Exhibitions.
import { ListDetailPage } from '../crud/ListDetailPage'
import { exhibition } from './resource'

export const Component = () => <ListDetailPage def={exhibition} />
