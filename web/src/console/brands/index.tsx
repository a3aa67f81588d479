// The brands.
import { ResourceScreen } from '../kit/ResourceScreen'
import { brand } from '../resources/brand'

export const Component = () => <ResourceScreen def={brand} />
