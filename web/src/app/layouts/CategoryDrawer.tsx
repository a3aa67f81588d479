// The phone menu: three levels of categories, other product lists, my account, the About Us group (spec V025, V030).
// Loaded when it is first opened.
import { ChevronRight } from 'lucide-react'
import { useLoggedIn, useSession } from '../../api/session'
import { useCategories } from '../../features/categories/api'
import { useLogout } from '../../features/login/useLogout'
import { ko } from '../../i18n/ko'
import { useLoginPath } from '../../lib/loginRedirect'
import { Button, ButtonLink } from '../../ui/Button'
import { Sheet } from '../../ui/Dialog'
import { Link } from '../../ui/Link'
import { hasRoute } from '../routeTable'
import { ABOUT_US, aboutGroup } from './aboutUs'
import { type ChromeLink, categoryHref, shelves } from './links'
import { MenuLink } from './MenuLink'

export default function CategoryDrawer({ onClose }: { onClose: () => void }) {
  const categories = useCategories()
  const loggedIn = useLoggedIn()
  const mayManage = useSession((s) => (s.payload?.scope.length ?? 0) > 0)
  const leave = useLogout()
  const login = useLoginPath()
  const row = 'flex min-h-12 items-center justify-between rounded-sm font-semibold text-lg'
  const t = ko.chrome
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} side="left" title={t.categories}>
      {hasRoute('/shop/products') && (
        <nav aria-label={t.categories}>
          <ul className="divide-y divide-line">
            <li>
              <Link to="/shop/products" onClick={onClose} className={row}>
                {t.allProducts}
                <ChevronRight aria-hidden className="size-5 text-ink-3" />
              </Link>
            </li>
            {categories.map((category) => (
              <li key={category._id}>
                <Link to={categoryHref(category.code)} onClick={onClose} className={row}>
                  {category.name}
                  <ChevronRight aria-hidden className="size-5 text-ink-3" />
                </Link>
                {category.children && category.children.length > 0 && (
                  <ul className="pb-3">
                    {category.children.map((child) => (
                      <li key={child._id} className="flex flex-wrap items-baseline gap-x-4">
                        <Link to={categoryHref(child.code)} onClick={onClose} className="py-1.5 font-medium text-ink-2">
                          {child.name}
                        </Link>
                        {child.children?.map((leaf) => (
                          <Link
                            key={leaf._id}
                            to={categoryHref(leaf.code)}
                            onClick={onClose}
                            className="py-1.5 text-ink-3 text-sm"
                          >
                            {leaf.name}
                          </Link>
                        ))}
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </nav>
      )}
      <LinkList label="둘러보기" links={shelves()} onClose={onClose} />
      <div className="mt-6 grid gap-2">
        {mayManage && (
          <ButtonLink to="/console" variant="outline" onClick={onClose}>
            {t.console}
          </ButtonLink>
        )}
        {loggedIn ? (
          <>
            {hasRoute('/mypage') && (
              <MenuLink to="/mypage" onClick={onClose} className="py-2 font-medium">
                {t.mypage}
              </MenuLink>
            )}
            <Button
              variant="ghost"
              onClick={() => {
                onClose()
                void leave()
              }}
            >
              {ko.action.logout}
            </Button>
          </>
        ) : (
          <>
            <ButtonLink to={login} onClick={onClose}>
              {ko.action.login}
            </ButtonLink>
            <ButtonLink to="/join" variant="outline" onClick={onClose}>
              {ko.action.join}
            </ButtonLink>
            <Link to="/shop/lookup" onClick={onClose} className="flex min-h-11 items-center font-medium text-ink-2">
              {t.lookup}
            </Link>
          </>
        )}
      </div>
      <LinkList label={ABOUT_US} links={aboutGroup()} onClose={onClose} />
    </Sheet>
  )
}

type LinkListProps = { label: string; links: readonly ChromeLink[]; onClose: () => void }

const LinkList = ({ label, links, onClose }: LinkListProps) =>
  links.length > 0 && (
    <nav aria-label={label} className="mt-6 border-line border-t pt-4">
      <ul className="grid grid-cols-2 gap-x-4">
        {links.map((link) => (
          <li key={link.to}>
            <Link to={link.to} onClick={onClose} className="flex min-h-11 items-center font-medium text-ink-2">
              {link.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
