// Opens a document that a company uploaded while joining: a picture in a dialog, a PDF as a download. It is private: it is
// fetched with the user's token on request, and released when closed.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toApiError } from '../../api/errors'
import { apiQueryKey } from '../../api/query'
import { formatDate } from '../../lib/date'
import { fileName, fileSize, saveFile } from '../../lib/files'
import { seoulDay } from '../../lib/seoul-day'
import { Button, buttonClass } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { ErrorState, Loading, Skeleton } from '../../ui/states'
import { toast } from '../../ui/toast'
import { useObjectUrl } from '../../ui/useObjectUrl'
import { type MemberDocument, ONE_DOCUMENT, readDocument } from './api'
import { documentWords } from './words'

const t = documentWords

const isPdf = ({ contentType }: MemberDocument): boolean => contentType === 'application/pdf'

/** `사진` or `PDF`. */
export const documentKind = (document: MemberDocument): string => (isPdf(document) ? t.pdf : t.picture)

type ViewDocumentProps = {
  document: MemberDocument
  /** Name of the owner, where documents of several members are shown. */
  of?: string
}

/** The button 보기. */
export function ViewDocument({ document, of }: ViewDocumentProps) {
  const [open, setOpen] = useState(false)
  const title = of ? t.of(of) : t.copy
  const name = fileName(`${title} ${seoulDay(0, Date.parse(document.uploadedAt))}`, isPdf(document) ? 'pdf' : 'webp')
  const take = useMutation({
    meta: { suppressToast: true },
    mutationFn: async () => saveFile(await readDocument(document._id), name),
    onSuccess: () => void toast(t.saved(name), { tone: 'success' }),
    onError: (thrown) => {
      const error = toApiError(thrown)
      if (!error.alerted) void toast(error.message, { tone: 'error' })
    },
  })
  return (
    <>
      <Button
        size="sm"
        variant="outline"
        aria-label={`${title} ${t.view}`}
        busy={take.isPending}
        onClick={() => (isPdf(document) ? take.mutate() : setOpen(true))}
      >
        {t.view}
      </Button>
      {open && <PictureDialog document={document} title={title} name={name} onClose={() => setOpen(false)} />}
    </>
  )
}

type PictureDialogProps = { document: MemberDocument; title: string; name: string; onClose: () => void }

function PictureDialog({ document, title, name, onClose }: PictureDialogProps) {
  const { data, error, refetch } = useQuery({
    queryKey: apiQueryKey(ONE_DOCUMENT, { path: { id: document._id } }),
    queryFn: ({ signal }) => readDocument(document._id, signal),
    // Dropped from the cache when the dialog closes.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const url = useObjectUrl(data)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={[documentKind(document), fileSize(document.size), formatDate(document.uploadedAt)].join(' · ')}
      width="lg"
      footer={
        url && (
          <a href={url} download={name} className={buttonClass({ variant: 'outline' })}>
            {t.save}
          </a>
        )
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : url ? (
        <img src={url} alt={title} className="mx-auto h-auto max-w-full" />
      ) : (
        <Loading>
          <Skeleton className="h-96" />
        </Loading>
      )}
    </Dialog>
  )
}
