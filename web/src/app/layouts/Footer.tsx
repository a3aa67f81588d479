// The footer: the shop's operator (spec V032, from the site setting) and the theme switch.
import { Monitor, Moon, Sun } from 'lucide-react'
import { useSetting } from '../../features/settings/api'
import { ko } from '../../i18n/ko'
import { cn } from '../../lib/cn'
import { Link } from '../../ui/Link'
import { hasRoute } from '../routeTable'
import { setTheme, type Theme, useTheme } from '../theme'

const LINKS = [
  { to: '/shop/lookup', label: ko.chrome.lookup },
  { to: '/about', label: '회사 소개' },
  { to: '/terms/service', label: '이용약관' },
  { to: '/terms/privacy', label: '개인정보처리방침' },
  { to: '/center/faq', label: '자주 묻는 질문' },
  { to: '/center/notice', label: '공지사항' },
]

/** Placeholders without a target (spec V033). */
const SOCIAL = ['인스타그램', '유튜브', '블로그']

const THEMES: { value: Theme; icon: typeof Sun }[] = [
  { value: 'light', icon: Sun },
  { value: 'dark', icon: Moon },
  { value: 'system', icon: Monitor },
]

const THEME_NAMES = { light: '밝게', dark: '어둡게', system: '기기 설정' }

export default function Footer() {
  const { company = {} } = useSetting()
  const facts = [
    company.ceoName && `대표 ${company.ceoName}`,
    company.registration && `사업자등록번호 ${company.registration}`,
    company.licenseCode && `통신판매업신고 ${company.licenseCode}`,
    company.address,
    company.tel && `전화 ${company.tel}`,
    company.email,
  ].filter((fact) => fact)
  const links = LINKS.filter(({ to }) => hasRoute(to))
  return (
    <footer className="mt-24 bg-sunken pb-[calc(3.75rem+env(safe-area-inset-bottom))] text-sm md:pb-0">
      <div className="shell flex flex-col gap-8 py-12 md:flex-row md:justify-between">
        <div className="max-w-xl">
          <p className="font-bold text-base text-ink">{company.name || ko.shop.name}</p>
          <p className="mt-1 text-ink-2">{ko.shop.slogan}</p>
          {facts.length > 0 && (
            <ul className="mt-5 flex flex-wrap gap-x-4 gap-y-1 text-ink-3">
              {facts.map((fact) => (
                <li key={fact}>{fact}</li>
              ))}
            </ul>
          )}
        </div>
        <div className="flex flex-col gap-5 md:items-end">
          {links.length > 0 && (
            <ul className="flex flex-wrap gap-x-5 font-medium text-ink-2">
              {links.map(({ to, label }) => (
                <li key={to}>
                  <Link to={to} className="flex min-h-11 items-center hover:text-ink hover:underline md:min-h-8">
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          )}
          <p className="text-ink-3 text-xs">{SOCIAL.join(' · ')} 준비 중</p>
          <ThemeChoice />
        </div>
      </div>
    </footer>
  )
}

function ThemeChoice() {
  const theme = useTheme()
  return (
    <div
      role="radiogroup"
      aria-label="화면 모드"
      className="inline-flex w-fit rounded-full border border-line bg-raised p-1"
    >
      {THEMES.map(({ value, icon: Icon }) => (
        <label
          key={value}
          title={THEME_NAMES[value]}
          className={cn(
            'flex size-8 cursor-pointer items-center justify-center rounded-full has-focus-visible:outline-2',
            theme === value ? 'bg-ink text-on-ink' : 'text-ink-3 hover:text-ink',
          )}
        >
          <input
            type="radio"
            name="theme"
            checked={theme === value}
            onChange={() => setTheme(value)}
            className="sr-only"
            aria-label={THEME_NAMES[value]}
          />
          <Icon aria-hidden className="size-4" />
        </label>
      ))}
    </div>
  )
}
