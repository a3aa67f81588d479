// A new banner.
import { ResourcePage } from '../crud/ResourcePage'
import { banner } from './resource'

export const Component = () => <ResourcePage def={banner} />
