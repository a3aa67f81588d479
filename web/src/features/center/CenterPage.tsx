// The frame of the customer centre: its pages as tabs, and the page with its heading.
import type { ReactNode } from 'react'
import { routeExists } from '../../lib/routeRegistry'
import { TabLinks } from '../../ui/Tabs'

const TABS = [
  { to: '/center/notice', label: '공지사항' },
  { to: '/center/faq', label: '자주 묻는 질문' },
  { to: '/center/questions', label: '1:1 문의' },
  { to: '/about/contact', label: '제휴·문의' },
]

type CenterPageProps = { title: string; aside?: ReactNode; children: ReactNode }

export function CenterPage({ title, aside, children }: CenterPageProps) {
  return (
    <main id="content" className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
      <TabLinks label="고객센터" tabs={TABS.filter(({ to }) => routeExists(to))} />
      <div className="mt-8 flex flex-wrap items-end justify-between gap-3">
        <h1 className="font-extrabold text-3xl">{title}</h1>
        {aside}
      </div>
      {children}
    </main>
  )
}
