// One product: its form with options and stock, and its history.
import { useParams } from 'react-router'
import { ResourcePage } from '../crud/ResourcePage'
import { productForm } from './form'

export function Component() {
  const { productId } = useParams()
  return <ResourcePage key={productId} def={productForm} id={productId} />
}
