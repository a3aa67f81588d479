// Documents that companies uploaded while joining, newest first: read only.

import { keepPreviousData } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { DOCUMENTS, type MemberDocument } from '../../features/documents/api'
import { documentKind, ViewDocument } from '../../features/documents/ViewDocument'
import { fileSize } from '../../lib/files'
import type { Column } from '../../ui/DataTable'
import { DateText } from '../../ui/DateText'
import { EmptyState } from '../../ui/states'
import { ListTable } from '../crud/ListTable'
import { PAGE_SIZE, useListState } from '../useListState'
import { words } from '../words'
import { documentWords } from './words'

const t = documentWords

/** The owner; nothing once they were erased. */
const nameOf = ({ companyName, nickname }: MemberDocument): string | undefined => companyName ?? nickname ?? undefined

const columns: readonly Column<MemberDocument>[] = [
  {
    id: 'company',
    header: t.company,
    width: '40%',
    cell: (row) => (
      <>
        <p className="font-semibold">{nameOf(row) ?? words.forgotten}</p>
        {row.companyName && row.nickname && <p className="text-ink-3 text-xs">{row.nickname}</p>}
      </>
    ),
  },
  { id: 'kind', header: t.kind, cell: documentKind },
  {
    id: 'size',
    header: t.size,
    align: 'right',
    cell: (row) => <span className="figures">{fileSize(row.size)}</span>,
  },
  {
    id: 'uploadedAt',
    header: t.uploadedAt,
    cell: (row) => <DateText value={row.uploadedAt} style="datetime" className="figures text-ink-2" />,
  },
  {
    id: 'contents',
    header: t.contents,
    align: 'right',
    cell: (row) => <ViewDocument document={row} of={nameOf(row) ?? words.forgotten} />,
  },
]

export function Component() {
  const { page, shown } = useListState()
  const read = useApiQuery(DOCUMENTS, { headers: paged(page, PAGE_SIZE) }, { placeholderData: keepPreviousData })
  return (
    <main id="content">
      <h1 className="font-bold text-2xl">{t.title}</h1>
      <p className="mt-2 max-w-prose text-ink-2 text-sm">{t.lead}</p>
      <ListTable<MemberDocument>
        caption={t.title}
        columns={columns}
        {...shown(read, (answer) => answer.documents)}
        rowId={(row) => row._id}
        empty={<EmptyState icon={<FileText />} title={t.empty} text={t.emptyText} />}
      />
    </main>
  )
}
