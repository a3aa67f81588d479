// Tag events.
import { ListDetailPage } from '../crud/ListDetailPage'
import { tagEvent } from './resource'

export const Component = () => <ListDetailPage def={tagEvent} />
