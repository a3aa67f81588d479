// Postcodes with a delivery surcharge.
import { ListDetailPage } from '../crud/ListDetailPage'
import { island } from './resource'

export const Component = () => <ListDetailPage def={island} />
