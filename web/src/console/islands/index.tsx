// The postcodes that cost more to reach.
import { ResourceScreen } from '../kit/ResourceScreen'
import { island } from '../resources/island'

export const Component = () => <ResourceScreen def={island} />
