// The postcodes that cost more to reach.
import { ResourceScreen } from '../crud/ListDetailPage'
import { island } from './resource'

export const Component = () => <ResourceScreen def={island} />
