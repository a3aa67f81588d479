// The bands above everything.
import { ListDetailPage } from '../crud/ListDetailPage'
import { bandBanner } from './resource'

export const Component = () => <ListDetailPage def={bandBanner} />
