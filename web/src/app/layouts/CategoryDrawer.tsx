// The menu of a phone: categories, my account, the rest. Loaded when it is first opened.
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { useCategories } from '../../api/categories'
import { useLoggedIn, useSession } from '../../api/session'
import { ko } from '../../i18n/ko'
import { Button, ButtonLink } from '../../ui/Button'
import { Sheet } from '../../ui/Dialog'
import { useLeave } from '../leave'
import { exists } from '../table'
import { MenuLink } from './MenuLink'

export default function CategoryDrawer({ onClose }: { onClose: () => void }) {
  const categories = useCategories()
  const loggedIn = useLoggedIn()
  const mayManage = useSession((s) => (s.payload?.scope.length ?? 0) > 0)
  const leave = useLeave()
  const row = 'flex min-h-12 items-center justify-between rounded-sm font-semibold text-lg'
  const t = ko.chrome
  return (
    <Sheet open onOpenChange={(open) => !open && onClose()} side="left" title={t.categories}>
      {exists('/shop/products') && (
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
                <Link
                  to={`/shop/products?category=${encodeURIComponent(category.code)}`}
                  onClick={onClose}
                  className={row}
                >
                  {category.name}
                  <ChevronRight aria-hidden className="size-5 text-ink-3" />
                </Link>
                {category.children && category.children.length > 0 && (
                  <ul className="flex flex-wrap gap-x-4 pb-3">
                    {category.children.map((child) => (
                      <li key={child._id}>
                        <Link
                          to={`/shop/products?category=${encodeURIComponent(child.code)}`}
                          onClick={onClose}
                          className="block py-1.5 text-ink-2"
                        >
                          {child.name}
                        </Link>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div className="mt-6 grid gap-2">
        {mayManage && (
          <ButtonLink to="/console" variant="outline" onClick={onClose}>
            {t.console}
          </ButtonLink>
        )}
        {loggedIn ? (
          <>
            {exists('/mypage') && (
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
            <ButtonLink to="/login" onClick={onClose}>
              {ko.action.login}
            </ButtonLink>
            <ButtonLink to="/join" variant="outline" onClick={onClose}>
              {ko.action.join}
            </ButtonLink>
          </>
        )}
      </div>
    </Sheet>
  )
}
