// Parcels to buyers, returned, sent back, and replacements; the number of one in transit can be corrected.

import delivery from 'virtual:resource/delivery'
import { useMemo, useState } from 'react'
import { EmptyState } from '../../ui/states'
import { ResourceTable } from '../crud/ResourceTable'
import { useSchema } from '../crud/useSchema'
import type { Parcel } from '../types'
import { CorrectDialog } from './CorrectDialog'
import { deliveryList } from './list'
import { deliveryWords as t } from './words'

export function Component() {
  const kind = useSchema(delivery)
  const [correcting, setCorrecting] = useState<Parcel>()
  const list = useMemo(() => deliveryList(setCorrecting), [])
  const [title, text] = t.none
  return (
    <main id="content">
      <h1 className="font-bold text-2xl">{t.title}</h1>
      <p className="mt-2 max-w-prose text-ink-2 text-sm">{t.lead}</p>
      <ResourceTable<Parcel>
        def={list}
        kind={kind}
        caption={t.title}
        empty={<EmptyState title={title} text={text} />}
      />
      {correcting && (
        <CorrectDialog key={correcting._id} parcel={correcting} onClose={() => setCorrecting(undefined)} />
      )}
    </main>
  )
}
