// Message templates.
import { ListDetailPage } from '../crud/ListDetailPage'
import { messageTemplate } from './resource'

export const Component = () => <ListDetailPage def={messageTemplate} />
