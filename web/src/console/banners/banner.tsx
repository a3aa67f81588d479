// One banner.
import { useParams } from 'react-router'
import { ResourcePage } from '../crud/ResourcePage'
import { banner } from './resource'

export function Component() {
  const { bannerId } = useParams()
  return <ResourcePage key={bannerId} def={banner} id={bannerId} />
}
