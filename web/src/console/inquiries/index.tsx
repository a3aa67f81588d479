// What guests and members sent with forms.
import { ListDetailPage } from '../crud/ListDetailPage'
import { inquiry } from './resource'

export const Component = () => <ListDetailPage def={inquiry} />
