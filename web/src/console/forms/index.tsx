// Forms that guests and members fill in.
import { ListDetailPage } from '../crud/ListDetailPage'
import { form } from './resource'

export const Component = () => <ListDetailPage def={form} />
