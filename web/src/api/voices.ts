// What people say about products: reviews and inquiries, and what has to be read again when one changes.
import type { QueryClient } from '@tanstack/react-query'
import { call } from './client'
import { readKey } from './read'
import type { PictureRef } from './wire'

export const REVIEWS = '/api/v1/shop/reviews'
export const REVIEW_IMAGES = '/api/v1/shop/review-images'
export const MY_REVIEWS = '/api/v1/me/reviews'
export const WRITABLE = '/api/v1/me/reviews/writable'
export const INQUIRES = '/api/v1/shop/inquires'
export const MY_INQUIRES = '/api/v1/me/inquires'

/** Letters of a review or an inquiry at most. */
export const WORDS_MOST = 2000
/** Pictures of one review at most. */
export const PICTURES_MOST = 5
const SUBJECT_MOST = 100

export { SUBJECT_MOST }

const again = (templates: readonly string[]) => (client: QueryClient) =>
  Promise.all(templates.map((template) => client.invalidateQueries({ queryKey: readKey(template).slice(0, 2) })))

/** After a review was written, changed or taken back. */
export const reviewsChanged = again([
  REVIEWS,
  REVIEW_IMAGES,
  MY_REVIEWS,
  `${MY_REVIEWS}/{id}`,
  WRITABLE,
  '/api/v1/shop/products/{id}',
])
/** After an inquiry was made, changed or taken back. */
export const inquiresChanged = again([INQUIRES, MY_INQUIRES, `${MY_INQUIRES}/{id}`])

/** Gives the shop a picture for a review. */
export async function giveReviewImage(image: File): Promise<PictureRef> {
  const body = new FormData()
  body.append('image', image, image.name)
  const { file } = await call<{ file: { url: string } }>('POST', `${MY_REVIEWS}/images`, { body })
  return { url: file.url, alt: null }
}
