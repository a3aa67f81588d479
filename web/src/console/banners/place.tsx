// The banners of one position in the shop.

import schema from 'virtual:resource/banner'
import { useParams } from 'react-router'
import { ListDetailPage } from '../crud/ListDetailPage'
import { optionLabel, valuesOf } from '../crud/schema'
import { bannersAt } from './resource'

const PLACES = valuesOf(schema, 'code')

export function Component() {
  const { code = '' } = useParams()
  const name = optionLabel(PLACES, code)
  return (
    <ListDetailPage
      key={code}
      def={bannersAt(code)}
      only={{ code }}
      title={`자리별 배너: ${name}`}
      starts={{ name }}
      places={PLACES.map(({ value, label }) => ({ to: `/console/main/banner/${value}`, label }))}
    />
  )
}
