// The products.
import { ResourceList } from '../kit/ResourceList'
import { product } from '../resources/product'

export const Component = () => <ResourceList def={product} />
