// The terms.
import { ResourceScreen } from '../kit/ResourceScreen'
import { terms } from '../resources/terms'

export const Component = () => <ResourceScreen def={terms} />
