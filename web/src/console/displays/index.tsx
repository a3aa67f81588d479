// The products displayed at one position in the shop, in order.
import { PositionPage } from '../crud/PositionPage'
import { displaysAt } from './resource'

export const Component = () => <PositionPage title="진열" at={displaysAt} />
