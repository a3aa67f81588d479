// The bands above everything.
import { ResourceScreen } from '../kit/ResourceScreen'
import { bandBanner } from '../resources/band-banner'

export const Component = () => <ResourceScreen def={bandBanner} />
