// The parts of the shop's frame that are loaded after the page.
import { useLoggedIn } from '../../api/session'
import { optional } from '../../ui/Optional'
import FloatingSidebar from './FloatingSidebar'

const LiveNotices = optional(() => import('./LiveNotices'))

export default function Extras({ far }: { far: boolean }) {
  const loggedIn = useLoggedIn()
  return (
    <>
      <FloatingSidebar far={far} />
      {loggedIn && <LiveNotices />}
    </>
  )
}
