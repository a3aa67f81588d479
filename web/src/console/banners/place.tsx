// The banners of one place of the shop.
import { useParams } from 'react-router'
import { calledIn, valuesOf } from '../kit/descriptor'
import { ResourceScreen } from '../kit/ResourceScreen'
import { bannersAt } from '../resources/banner'

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
