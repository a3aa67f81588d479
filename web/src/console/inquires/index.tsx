// The product inquiries.
import { ListDetailPage } from '../crud/ListDetailPage'
import { inquire } from './resource'

export const Component = () => <ListDetailPage def={inquire} />
