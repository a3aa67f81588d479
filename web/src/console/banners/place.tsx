// The banners of one position in the shop.
import { PositionPage } from '../crud/PositionPage'
import { bannersAt } from './resource'

export const Component = () => <PositionPage title="자리별 배너" at={bannersAt} />
