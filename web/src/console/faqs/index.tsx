// The frequently asked questions.
import { ListDetailPage } from '../crud/ListDetailPage'
import { faq } from './resource'

export const Component = () => <ListDetailPage def={faq} />
