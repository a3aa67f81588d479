// The records at one position in the shop; the positions are tabs. The position's code is in the address.
import { useParams } from 'react-router'
import { EmptyState } from '../../ui/states'
import { TabLinks } from '../../ui/Tabs'
import { ListDetailPage } from './ListDetailPage'
import type { ResourceDef } from './resourceDefinition'
import { fieldOf, optionLabel } from './schema'
import { crudWords } from './words'

type PositionPageProps = {
  /** What the position holds. */
  title: string
  /** The records of one position. */
  at: (code: string) => ResourceDef
}

export function PositionPage({ title, at }: PositionPageProps) {
  const { code = '' } = useParams()
  const def = at(code)
  const field = fieldOf(def.schema, 'code')
  const positions = field?.values ?? []
  const places = positions.map(({ value, label }) => ({ to: at(value).page, label }))
  // Positions that are no fixed choice may have other codes.
  if (field?.type === 'enum' && !positions.some(({ value }) => value === code))
    return (
      <main id="content">
        <h1 className="font-bold text-2xl">{title}</h1>
        <TabLinks label={title} tabs={places} className="mt-3" />
        <EmptyState title={crudWords.noPosition(field.label, code)} text={crudWords.choosePosition} />
      </main>
    )
  const name = optionLabel(positions, code)
  return (
    <ListDetailPage
      key={code}
      def={def}
      only={{ code }}
      title={`${title}: ${name}`}
      starts={{ name }}
      places={places}
    />
  )
}
