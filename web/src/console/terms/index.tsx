// The terms.
import { ResourceScreen } from '../crud/ListDetailPage'
import { terms } from './resource'

export const Component = () => <ResourceScreen def={terms} />
