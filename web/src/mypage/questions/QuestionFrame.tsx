// The frame of a page about the member's questions: in the customer centre or in the member area, by its address.
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { CenterPage } from '../../features/center/CenterPage'
import { MyPage } from '../MyPage'

const MINE = '/mypage/questions'

/** The address of the list that this page belongs to. */
export const useQuestionsPath = (): string =>
  useLocation().pathname.toLowerCase().startsWith(MINE) ? MINE : '/center/questions'

type QuestionFrameProps = { title: string; aside?: ReactNode; children: ReactNode }

export function QuestionFrame(props: QuestionFrameProps) {
  const Frame = useQuestionsPath() === MINE ? MyPage : CenterPage
  return <Frame {...props} />
}
