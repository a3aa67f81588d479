// The band banners.
import { ListDetailPage } from '../crud/ListDetailPage'
import { bandBanner } from './resource'

export const Component = () => <ListDetailPage def={bandBanner} />
