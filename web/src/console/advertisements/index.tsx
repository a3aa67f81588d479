// The advertisements of the home page.
import { ResourceScreen } from '../crud/ListDetailPage'
import { bannerAdvertisement } from './resource'

export const Component = () => <ResourceScreen def={bannerAdvertisement} />
