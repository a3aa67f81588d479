// One thing that could not be read: it does not exist, which no retry changes, or the request failed.
import type { ComponentProps } from 'react'
import { EmptyState, ErrorState } from './states'

const NOT_FOUND = 404

const isMissing = (error: unknown) =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === NOT_FOUND

type LoadErrorProps = ComponentProps<typeof ErrorState> & Pick<ComponentProps<typeof EmptyState>, 'text' | 'action'>

/** `title`, `text` and `action` are for what does not exist. */
export const LoadError = ({
  title = '찾으시는 내용이 없습니다',
  text = '삭제되었거나 주소가 잘못되었습니다.',
  action,
  ...failed
}: LoadErrorProps) =>
  isMissing(failed.error) ? (
    <EmptyState title={title} text={text} action={action} className={failed.className} />
  ) : (
    <ErrorState {...failed} />
  )
