// Slides of the home page while there is no banner: the categories that have a picture.
import type { Category } from '../../features/categories/api'
import type { Slide } from '../../features/content/api'

const PREFIX = 'category-'

export const slidesOf = (categories: readonly Category[]): Slide[] =>
  categories.flatMap(({ code, name, visual }) =>
    visual?.url
      ? [
          {
            _id: PREFIX + code,
            image: { url: visual.url, alt: name },
            url: `/shop/products?category=${encodeURIComponent(code)}`,
            meta: { title: name, description: '', tag: '' },
          },
        ]
      : [],
  )

/** Clicks on fallback slides are not logged: they belong to no banner. */
export const isFallbackSlide = ({ _id }: Slide): boolean => _id.startsWith(PREFIX)
