// The brands.
import { ResourceScreen } from '../crud/ListDetailPage'
import { brand } from './resource'

export const Component = () => <ResourceScreen def={brand} />
