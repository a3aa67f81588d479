// Reviews of products.
import { call } from '../../api/client'
import { invalidator } from '../../api/query'
import type { PictureRef } from '../../api/types'

export const REVIEWS = '/api/v1/shop/reviews'
export const REVIEW_IMAGES = '/api/v1/shop/review-images'
export const MY_REVIEWS = '/api/v1/me/reviews'
export const WRITABLE = '/api/v1/me/reviews/writable'

export const MAX_REVIEW_SUBJECT_LENGTH = 100
export const MAX_REVIEW_LENGTH = 2000
export const MAX_REVIEW_PICTURES = 5

/** Call after a review was created, edited or deleted. */
export const invalidateReviews = invalidator([
  REVIEWS,
  REVIEW_IMAGES,
  MY_REVIEWS,
  `${MY_REVIEWS}/{id}`,
  WRITABLE,
  '/api/v1/shop/products/{id}',
])

/** Uploads a picture for a review. */
export async function uploadReviewImage(image: File): Promise<PictureRef> {
  const body = new FormData()
  body.append('image', image, image.name)
  const { file } = await call('POST', '/api/v1/me/reviews/images', { body })
  return { url: file.url, alt: null }
}
