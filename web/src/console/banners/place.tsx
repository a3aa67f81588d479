// The banners of one place of the shop.
import { useParams } from 'react-router'
import { ResourceScreen } from '../crud/ListDetailPage'
import { calledIn, valuesOf } from '../crud/schema'
import { bannersAt } from './resource'

const PLACES = valuesOf('banner', 'code')

export function Component() {
  const { code = '' } = useParams()
  const name = calledIn(PLACES, code)
  return (
    <ResourceScreen
      key={code}
      def={bannersAt(code)}
      only={{ code }}
      title={`자리별 배너: ${name}`}
      starts={{ name }}
      places={PLACES.map(({ value, label }) => ({ to: `/console/main/banner/${value}`, label }))}
    />
  )
}
