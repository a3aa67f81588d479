// What the slider shows while nobody has put up a banner: the ways into the shop that have a picture.
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
            meta: { title: name },
          },
        ]
      : [],
  )

/** The shop's own slides are nobody's banner and are not counted. */
export const isFallbackSlide = ({ _id }: Slide): boolean => _id.startsWith(PREFIX)
