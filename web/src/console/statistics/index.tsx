// Sales statistics.
import { Sales } from '../sales/Sales'

const MANY = 20

export const Component = () => (
  <main id="content" className="mx-auto grid max-w-6xl gap-5">
    <h1 className="font-bold text-2xl">매출 통계</h1>
    <Sales best={MANY} isPage />
  </main>
)
