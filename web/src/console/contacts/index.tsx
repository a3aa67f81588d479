// Contacts of guests and members.
import { ListDetailPage } from '../crud/ListDetailPage'
import { contact } from './resource'

export const Component = () => <ListDetailPage def={contact} />
