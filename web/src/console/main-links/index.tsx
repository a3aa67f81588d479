// Main links.
import { ListDetailPage } from '../crud/ListDetailPage'
import { mainLink } from './resource'

export const Component = () => <ListDetailPage def={mainLink} />
