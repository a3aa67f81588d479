// The advertisements of the home page.
import { ListDetailPage } from '../crud/ListDetailPage'
import { bannerAdvertisement } from './resource'

export const Component = () => <ListDetailPage def={bannerAdvertisement} />
