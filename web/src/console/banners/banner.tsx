// One banner.
import { useParams } from 'react-router'
import { ResourcePage } from '../kit/ResourcePage'
import { banner } from '../resources/banner'

export function Component() {
  const { bannerId } = useParams()
  return <ResourcePage key={bannerId} def={banner} id={bannerId} />
}
