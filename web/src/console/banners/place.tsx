// The banners of one place of the shop.
import { useParams } from 'react-router'
import { ResourceScreen } from '../kit/ResourceScreen'
import { bannersAt, PLACES } from '../resources/banner'

export function Component() {
  const { code = '' } = useParams()
  return (
    <ResourceScreen
      key={code}
      def={bannersAt(code)}
      only={{ code }}
      title={`배너: ${PLACES[code] ?? code}`}
      starts={{ name: PLACES[code] ?? '' }}
      places={Object.entries(PLACES).map(([place, label]) => ({ to: `/console/main/banner/${place}`, label }))}
    />
  )
}
