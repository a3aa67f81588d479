// The public holidays, one record per date.
import { ListDetailPage } from '../crud/ListDetailPage'
import { holiday } from './resource'

export const Component = () => <ListDetailPage def={holiday} />
