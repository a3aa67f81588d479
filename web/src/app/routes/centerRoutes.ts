// Pages that few visits need: the customer centre, other texts of the shop, and finding an account. This module is loaded when one of them is opened: its rows are not part of the first load.
import { addRoutes } from '../routeTable'
import type { AppRoute } from './route'

/** The member's questions, in the customer centre and in the member area. */
const questions = (path: string): AppRoute[] => {
  const row = { login: true, title: '1:1 문의' } as const
  const create = () => import('../../mypage/questions/create')
  return [
    { ...row, path, page: () => import('../../mypage/questions') },
    { ...row, path: `${path}/create`, title: '1:1 문의하기', page: create },
    { ...row, path: `${path}/create/:questionId`, title: '문의 수정', page: create },
    { ...row, path: `${path}/:questionId`, page: () => import('../../mypage/questions/one') },
  ]
}

const find = () => import('../../account/find')
const faq = () => import('../../shop/center/faq')

export const centerRoutes: readonly AppRoute[] = [
  { path: '/center/notice', title: '공지사항', page: () => import('../../shop/center/notice') },
  { path: '/center/notice/:notificationId', title: '공지사항', page: () => import('../../shop/center/notice/one') },
  { path: '/center/faq', title: '자주 묻는 질문', page: faq },
  { path: '/about/faq', title: '자주 묻는 질문', page: faq },
  ...questions('/center/questions'),
  ...questions('/mypage/questions'),
  { path: '/terms/:code', title: '약관', page: () => import('../../shop/terms') },
  { path: '/login/find-id', title: '계정 찾기', noindex: true, page: find },
  { path: '/login/find-password', title: '계정 찾기', noindex: true, page: find },
  // The link in a mail has the member.
  { path: '/login/find-id/:userId', title: '계정 찾기', noindex: true, page: find },
  { path: '/login/find-password/:userId', title: '계정 찾기', noindex: true, page: find },
  { path: '/test', title: 'UI 모음', noindex: true, page: () => import('../pages/Gallery') },
  { path: '/email-policy', title: '이메일 무단수집 거부', page: () => import('../../shop/center/email-policy') },
]

addRoutes(centerRoutes)
