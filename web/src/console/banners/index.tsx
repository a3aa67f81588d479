// The banners.
import { ResourceList } from '../crud/ResourceList'
import { banner } from './resource'

export const Component = () => <ResourceList def={banner} />
