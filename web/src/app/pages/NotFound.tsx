// 404: no such page or record. In the console the link leads to the console's root.
import { useLocation } from 'react-router'
import { ko } from '../../i18n/ko'
import { ButtonLink } from '../../ui/Button'
import { EmptyState } from '../../ui/states'

const TITLE = '찾으시는 페이지가 없습니다'

export default function NotFound() {
  const inConsole = useLocation().pathname.startsWith('/console/')
  return (
    <main id="content" className={inConsole ? undefined : 'shell py-10'}>
      <h1 className="sr-only">{TITLE}</h1>
      <EmptyState
        title={TITLE}
        text="주소가 변경되었거나 삭제된 페이지입니다."
        action={
          inConsole ? (
            <ButtonLink to="/console">관리 홈으로</ButtonLink>
          ) : (
            <ButtonLink to="/">{ko.action.home}</ButtonLink>
          )
        }
      />
    </main>
  )
}

export { NotFound as Component }
