// The site setting: a single record with this id.
import { ResourcePage } from '../crud/ResourcePage'
import { setting } from './resource'

const THE_SETTING = 'main'

export const Component = () => <ResourcePage def={setting} id={THE_SETTING} only />
