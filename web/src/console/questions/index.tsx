// Questions of members to the shop.
import { ListDetailPage } from '../crud/ListDetailPage'
import { question } from './resource'

export const Component = () => <ListDetailPage def={question} />
