// One product: its form with options and stock, and its history.
import { useParams } from 'react-router'
import { useCategories } from '../../api/categories'
import { RecordPage } from '../records/RecordPage'
import { productKind } from './kind'
import { Options } from './Options'

export function Component() {
  const { productId } = useParams()
  const categories = useCategories()
  return (
    <RecordPage
      key={productId}
      kind={productKind(categories)}
      id={productId}
      listPage={{ to: '/console/shop/products', label: '상품' }}
      extra={(document) => (props) => <Options {...props} document={document} />}
    />
  )
}
