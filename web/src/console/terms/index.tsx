// The terms.
import { ListDetailPage } from '../crud/ListDetailPage'
import { terms } from './resource'

export const Component = () => <ListDetailPage def={terms} />
