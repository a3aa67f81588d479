// A new banner.
import { ResourcePage } from '../kit/ResourcePage'
import { banner } from '../resources/banner'

export const Component = () => <ResourcePage def={banner} />
