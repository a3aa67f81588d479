// The site setting: there is one, and this is its id.
import { ResourcePage } from '../kit/ResourcePage'
import { setting } from '../resources/setting'

const THE_SETTING = 'main'

export const Component = () => <ResourcePage def={setting} id={THE_SETTING} only />
