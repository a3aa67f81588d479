// Materials of products.
import { ListDetailPage } from '../crud/ListDetailPage'
import { material } from './resource'

export const Component = () => <ListDetailPage def={material} />
