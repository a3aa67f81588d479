// The banners.
import { ResourceList } from '../kit/ResourceList'
import { banner } from '../resources/banner'

export const Component = () => <ResourceList def={banner} />
