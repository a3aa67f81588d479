// Common codes.
import { ListDetailPage } from '../crud/ListDetailPage'
import { shopCode } from './resource'

export const Component = () => <ListDetailPage def={shopCode} />
