// The product inquiries.
import { ResourceScreen } from '../kit/ResourceScreen'
import { inquire } from '../resources/inquire'

export const Component = () => <ResourceScreen def={inquire} />
