// The reviews.
import { ResourceScreen } from '../crud/ListDetailPage'
import { review } from './resource'

export const Component = () => <ResourceScreen def={review} />
