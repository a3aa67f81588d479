// Tabs: purchases to review, and written reviews.
import { TabLinks } from '../../ui/Tabs'

export const ReviewTabs = ({ writable }: { writable?: number }) => (
  <TabLinks
    label="후기"
    className="mt-6"
    tabs={[
      { to: '/mypage/reviews-input', label: writable ? `작성 가능한 후기 ${writable}` : '작성 가능한 후기', end: true },
      { to: '/mypage/reviews', label: '작성한 후기', end: true },
    ]}
  />
)
