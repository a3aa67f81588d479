// The products.
import { ResourceList } from '../crud/ResourceList'
import { product } from './resource'

export const Component = () => <ResourceList def={product} />
