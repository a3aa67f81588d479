// What stands at one place of the shop, in which order.
import { useParams } from 'react-router'
import { ResourceScreen } from '../crud/ListDetailPage'
import { calledIn, valuesOf } from '../crud/schema'
import { displaysAt } from './resource'

const PLACES = valuesOf('display', 'code')

export function Component() {
  const { code = '' } = useParams()
  const name = calledIn(PLACES, code)
  return (
    <ResourceScreen
      key={code}
      def={displaysAt(code)}
      only={{ code }}
      title={`진열: ${name}`}
      starts={{ name }}
      places={PLACES.map(({ value, label }) => ({ to: `/console/main/display/${value}`, label }))}
    />
  )
}
