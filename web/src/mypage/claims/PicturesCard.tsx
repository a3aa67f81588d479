// Up to five pictures of the goods, uploaded as soon as they are chosen. They are private: shown from memory here.
import { Camera, X } from 'lucide-react'
import { type ChangeEvent, useEffect, useId, useRef } from 'react'
import { call } from '../../api/client'
import { toApiError } from '../../api/errors'
import { guestOrderHeaders } from '../../api/guestOrders'
import { buttonClass, IconButton } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Fieldset } from '../../ui/Field'
import { toast } from '../../ui/toast'

const PICTURES_MOST = 5

/** A chosen picture: its object URL, and its id once it is uploaded. */
export type ClaimPicture = { url: string; id: string | undefined }

/** Their ids for the application; undefined if there are none. */
export function pictureIds(pictures: readonly ClaimPicture[]): string[] | undefined {
  const ids = pictures.flatMap(({ id }) => id ?? [])
  return ids.length > 0 ? ids : undefined
}

/** The application is not sent before all of them are uploaded. */
export const pictureErrors = (pictures: readonly ClaimPicture[]): { pictures?: string } =>
  pictures.some(({ id }) => id === undefined) ? { pictures: '사진을 올리고 있습니다. 잠시 후 다시 눌러 주세요.' } : {}

type PicturesCardProps = {
  orderId: string
  purchaseNo: string
  pictures: readonly ClaimPicture[]
  onPictures: (change: (now: readonly ClaimPicture[]) => readonly ClaimPicture[]) => void
  error: string | undefined
}

export function PicturesCard({ orderId, purchaseNo, pictures, onPictures, error }: PicturesCardProps) {
  const inputId = useId()
  const made = useRef<string[]>([])
  useEffect(() => {
    const urls = made.current
    return () => {
      for (const url of urls) URL.revokeObjectURL(url)
    }
  }, [])
  const remove = (url: string) => onPictures((now) => now.filter((one) => one.url !== url))
  const upload = async (file: File, url: string) => {
    const body = new FormData()
    body.append('image', file, file.name)
    try {
      const { picture } = await call('POST', '/api/v1/me/purchases/{purchaseNo}/pictures', {
        path: { purchaseNo },
        headers: guestOrderHeaders(orderId),
        body,
      })
      onPictures((now) => now.map((one) => (one.url === url ? { url, id: picture } : one)))
    } catch (thrown) {
      remove(url)
      toast(toApiError(thrown).told, { tone: 'error' })
    }
  }
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])].slice(0, PICTURES_MOST - pictures.length)
    event.target.value = ''
    const chosen = files.map((file) => ({ file, url: URL.createObjectURL(file) }))
    made.current.push(...chosen.map(({ url }) => url))
    onPictures((now) => [...now, ...chosen.map(({ url }) => ({ url, id: undefined }))])
    // Sequential, as a phone's connection is slow.
    for (const { file, url } of chosen) await upload(file, url)
  }
  const isFull = pictures.length >= PICTURES_MOST
  return (
    <Card title="상품 사진">
      <p className="mb-4 text-ink-2 text-sm">
        상품 상태를 보여 주는 사진이 있으면 더 빨리 확인할 수 있습니다. 판매자와 운영자만 볼 수 있습니다.
      </p>
      <Fieldset legend={`사진 (${pictures.length}/${PICTURES_MOST})`} error={error}>
        <div className="flex flex-wrap items-center gap-3">
          {pictures.map((picture, i) => (
            <div key={picture.url} className="relative w-20">
              <img
                src={picture.url}
                alt={`올린 사진 ${i + 1}`}
                className={`aspect-square w-full rounded-sm bg-picture object-cover ${picture.id ? '' : 'opacity-40'}`}
              />
              <IconButton
                label={`사진 ${i + 1} 삭제`}
                className="absolute -top-2 -right-2 bg-raised shadow-pop"
                onClick={() => remove(picture.url)}
              >
                <X aria-hidden />
              </IconButton>
            </div>
          ))}
          <input
            id={inputId}
            type="file"
            accept="image/jpeg,image/png,image/webp"
            multiple
            disabled={isFull}
            onChange={choose}
            className="peer sr-only"
          />
          <label
            htmlFor={inputId}
            className={`${buttonClass({ variant: 'outline' })} cursor-pointer peer-focus-visible:outline-2 peer-disabled:pointer-events-none peer-disabled:opacity-40`}
          >
            <Camera aria-hidden />
            {isFull ? '5장까지 올릴 수 있습니다' : '사진 추가'}
          </label>
        </div>
      </Fieldset>
    </Card>
  )
}
