// The pictures of a return or exchange. They are private: each is fetched with the user's token and shown from memory.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { download } from '../../api/download'
import { apiQueryKey } from '../../api/query'
import { Dialog } from '../../ui/Dialog'
import { useObjectUrl } from '../../ui/useObjectUrl'

/** Who requests the pictures: the buyer, or the console. */
export const MY_PICTURE = '/api/v1/me/purchases/{purchaseNo}/pictures/{id}'
export const CONSOLE_PICTURE = '/api/console/shop/purchases/{purchaseNo}/pictures/{id}'

type ClaimPicturesProps = {
  pictures: readonly string[]
  /** A purchase of their claim. */
  purchaseNo: string
  from: typeof MY_PICTURE | typeof CONSOLE_PICTURE
  /** Headers that authorize a guest. */
  headers?: Record<string, string>
  className?: string
}

export default function ClaimPictures({ pictures, className, ...where }: ClaimPicturesProps) {
  const [open, setOpen] = useState<number>()
  if (pictures.length === 0) return null
  const shown = open === undefined ? undefined : pictures[open]
  return (
    <>
      <ul className={`flex flex-wrap gap-2 ${className ?? ''}`}>
        {pictures.map((id, i) => (
          <li key={id}>
            <button
              type="button"
              aria-label={`사진 ${i + 1} 크게 보기`}
              className="block size-14 overflow-hidden rounded-sm bg-picture"
              onClick={() => setOpen(i)}
            >
              <SealedPicture id={id} alt="" className="size-full object-cover" {...where} />
            </button>
          </li>
        ))}
      </ul>
      {shown && open !== undefined && (
        <Dialog open onOpenChange={(now) => !now && setOpen(undefined)} title={`사진 ${open + 1}`} width="lg">
          <SealedPicture id={shown} alt={`상품 사진 ${open + 1}`} className="mx-auto h-auto max-w-full" {...where} />
        </Dialog>
      )}
    </>
  )
}

type SealedPictureProps = Omit<ClaimPicturesProps, 'pictures'> & { id: string; alt: string }

function SealedPicture({ id, alt, purchaseNo, from, headers, className }: SealedPictureProps) {
  const path = { purchaseNo, id }
  const { data, error } = useQuery({
    queryKey: apiQueryKey(from, { path }),
    queryFn: async ({ signal }) => (await download(from, { path, headers, signal })).blob,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { suppressToast: true },
  })
  const url = useObjectUrl(data)
  if (error) return <span className="grid size-full place-items-center p-1 text-ink-3 text-xs">볼 수 없음</span>
  return url && <img src={url} alt={alt} className={className} />
}
