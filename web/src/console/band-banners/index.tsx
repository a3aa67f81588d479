// The bands above everything.
import { ResourceScreen } from '../crud/ListDetailPage'
import { bandBanner } from './resource'

export const Component = () => <ResourceScreen def={bandBanner} />
