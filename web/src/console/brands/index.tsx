// The brands.
import { ListDetailPage } from '../crud/ListDetailPage'
import { brand } from './resource'

export const Component = () => <ListDetailPage def={brand} />
