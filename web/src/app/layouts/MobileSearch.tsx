// The phone's search: full screen, with recent and popular terms below the box. Loaded when first opened.
import { ko } from '../../i18n/ko'
import { Sheet } from '../../ui/Dialog'
import { SearchBox } from './SearchBox'

export default function MobileSearch({ onClose }: { onClose: () => void }) {
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} side="full" title={ko.chrome.search} toType>
      <SearchBox panel="below" onDone={onClose} />
    </Sheet>
  )
}
