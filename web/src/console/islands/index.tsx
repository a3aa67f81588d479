// The postcodes that cost more to reach.
import { ListDetailPage } from '../crud/ListDetailPage'
import { island } from './resource'

export const Component = () => <ListDetailPage def={island} />
