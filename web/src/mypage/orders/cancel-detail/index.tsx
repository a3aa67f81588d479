// One cancellation of mine.
import { ClaimDetailPage } from '../ClaimDetail'

export const Component = () => <ClaimDetailPage kind="CANCEL" />
