// The reviews displayed at one position in the shop, in order.

import schema from 'virtual:resource/review-display'
import { useParams } from 'react-router'
import { ListDetailPage } from '../crud/ListDetailPage'
import { optionLabel, valuesOf } from '../crud/schema'
import { reviewDisplaysAt } from './resource'

const PLACES = valuesOf(schema, 'code')

export function Component() {
  const { code = '' } = useParams()
  const name = optionLabel(PLACES, code)
  return (
    <ListDetailPage
      key={code}
      def={reviewDisplaysAt(code)}
      only={{ code }}
      title={`후기 진열: ${name}`}
      starts={{ name }}
      places={PLACES.map(({ value, label }) => ({ to: `/console/main/review/${value}`, label }))}
    />
  )
}
