// A copy of a product, as the initial values of a new one.
import { type Document, isDocument } from '../crud/formState'
import { recordWords } from '../crud/words'
import { freshKey } from './options'

/** Items of a list without their ids: the server assigns new ones. */
const withoutIds = (list: unknown): Document[] =>
  Array.isArray(list) ? list.filter(isDocument).map(({ _id, ...rest }) => rest) : []

/**
 * Everything but what belongs to the product itself: its code (which is also its address) and those of its options, its history, its stock and what the server
 * computes. A copy is hidden until staff have completed it.
 */
export function copyOfProduct(record: Document): Document {
  const {
    _id,
    code,
    version,
    removed,
    createdAt,
    updatedAt,
    stock,
    salePrice,
    discountRate,
    bundleFault,
    options,
    supplies,
    ...rest
  } = record
  return {
    ...rest,
    name: recordWords.copyName(String(record.name ?? '')),
    shows: false,
    options: withoutIds(options).map(({ code: _, ...option }) => ({ ...option, key: freshKey(), stock: 0 })),
    supplies: withoutIds(supplies),
  }
}
