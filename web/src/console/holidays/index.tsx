// The public holidays, a day each.
import { ListDetailPage } from '../crud/ListDetailPage'
import { holiday } from './resource'

export const Component = () => <ListDetailPage def={holiday} />
