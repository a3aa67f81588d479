// The product inquiries.
import { ResourceScreen } from '../crud/ListDetailPage'
import { inquire } from './resource'

export const Component = () => <ResourceScreen def={inquire} />
