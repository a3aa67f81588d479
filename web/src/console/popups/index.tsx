// The popups.
import { ResourceScreen } from '../kit/ResourceScreen'
import { popup } from '../resources/popup'

export const Component = () => <ResourceScreen def={popup} />
