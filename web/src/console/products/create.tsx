// A new product, or a copy of one. It belongs to the member who creates it unless staff choose a seller.
import { useSearchParams } from 'react-router'
import { useSession } from '../../api/session'
import { ResourcePage } from '../crud/ResourcePage'
import { COPY_OF } from '../crud/resourceDefinition'
import { productForm } from './form'

export function Component() {
  const [params] = useSearchParams()
  const copied = params.get(COPY_OF) ?? undefined
  const me = useSession((s) => s.payload?._user)
  return <ResourcePage key={copied} def={productForm} starts={{ _seller: me }} copied={copied} />
}
