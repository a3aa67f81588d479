// The reviews.
import { ResourceScreen } from '../kit/ResourceScreen'
import { review } from '../resources/review'

export const Component = () => <ResourceScreen def={review} />
