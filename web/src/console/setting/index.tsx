// The site setting: there is one, and this is its id.
import { ResourcePage } from '../crud/ResourcePage'
import { setting } from './resource'

const THE_SETTING = 'main'

export const Component = () => <ResourcePage def={setting} id={THE_SETTING} only />
