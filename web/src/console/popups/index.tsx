// The popups.
import { ResourceScreen } from '../crud/ListDetailPage'
import { popup } from './resource'

export const Component = () => <ResourceScreen def={popup} />
