// The advertisements of the home page.
import { ResourceScreen } from '../kit/ResourceScreen'
import { bannerAdvertisement } from '../resources/banner-advertisement'

export const Component = () => <ResourceScreen def={bannerAdvertisement} />
