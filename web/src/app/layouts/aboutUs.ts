// The About Us group of the menus (spec V025).
import { type ChromeLink, there } from './links'

export const ABOUT_US = 'About Us'

export const aboutGroup = (): ChromeLink[] =>
  there([
    { to: '/about', label: '장부 소개' },
    { to: '/about/blog', label: '레시피' },
    { to: '/about/faq', label: '자주 묻는 질문' },
    { to: '/about/contact', label: '제휴·문의' },
    { to: '/center/notice', label: '공지사항' },
    { to: '/terms/service', label: '이용약관' },
    { to: '/terms/privacy', label: '개인정보처리방침' },
  ])
