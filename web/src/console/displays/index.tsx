// What stands at one place of the shop, in which order.
import { useParams } from 'react-router'
import { ResourceScreen } from '../kit/ResourceScreen'
import { DISPLAYS, displaysAt } from '../resources/display'

export function Component() {
  const { code = '' } = useParams()
  return (
    <ResourceScreen
      key={code}
      def={displaysAt(code)}
      only={{ code }}
      title={`진열: ${DISPLAYS[code] ?? code}`}
      starts={{ name: DISPLAYS[code] ?? '' }}
      places={Object.entries(DISPLAYS).map(([place, label]) => ({ to: `/console/main/display/${place}`, label }))}
    />
  )
}
