// The reviews displayed at one position in the shop, in order.
import { PositionPage } from '../crud/PositionPage'
import { reviewDisplaysAt } from './resource'

export const Component = () => <PositionPage title="후기 진열" at={reviewDisplaysAt} />
