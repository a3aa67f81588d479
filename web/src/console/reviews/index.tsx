// The reviews.
import { ListDetailPage } from '../crud/ListDetailPage'
import { review } from './resource'

export const Component = () => <ListDetailPage def={review} />
