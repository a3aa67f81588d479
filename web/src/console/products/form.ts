// What the page of a product adds to its list: it can be copied, and seen in the shop.
import type { ResourceDef } from '../crud/resourceDefinition'
import { copyOfProduct } from './copyOfProduct'
import { product } from './resource'

export const productForm: ResourceDef = {
  ...product,
  copyOf: copyOfProduct,
  shopHref: ({ _id, shows }) => (shows === true ? `/shop/products/${String(_id)}` : undefined),
}
