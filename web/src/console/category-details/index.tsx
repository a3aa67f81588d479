// Details of categories.
import { ListDetailPage } from '../crud/ListDetailPage'
import { categoryDetail } from './resource'

export const Component = () => <ListDetailPage def={categoryDetail} />
