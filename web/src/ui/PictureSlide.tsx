// A slide: a picture with text beside it, or over it if the picture is wide. Shown on the home page, and in the console while
// it is edited.
import { type ReactNode, useState } from 'react'
import { cn } from '../lib/cn'

/** Backgrounds for pictures on white; the same in both themes, like the pictures. */
const GROUNDS = ['bg-slide-1', 'bg-slide-2', 'bg-slide-3', 'bg-slide-4', 'bg-slide-5'] as const
/** From this aspect ratio on a picture fills the slide. */
const WIDE = 1.4

type PictureSlideProps = {
  picture: { url: string; alt?: string | null } | undefined
  title?: string | null
  description?: string | null
  tag?: string | null
  /** Index of the slide: selects the background; the first is loaded eagerly. */
  index: number
  /** The top of a page, a strip between sections, or a small one for a column. */
  variant: 'main' | 'strip' | 'small'
  className?: string
  /** Below the text; a link covers the slide. */
  children?: ReactNode
}

export function PictureSlide({
  picture,
  title,
  description,
  tag,
  index,
  variant,
  className,
  children,
}: PictureSlideProps) {
  // With the picture's address: the slide may get another picture.
  const [wide, setWide] = useState<{ url: string; is: boolean }>()
  const isWide = wide?.url === picture?.url && wide?.is === true
  const [isMain, isSmall] = [variant === 'main', variant === 'small']
  const isFirst = index === 0 && isMain
  return (
    <div
      className={cn(
        'group relative grid overflow-hidden rounded-xl text-picture-ink',
        GROUNDS[index % GROUNDS.length],
        !isSmall && 'aspect-[1.8375] h-full md:aspect-auto',
        isMain && 'md:h-[27rem]',
        variant === 'strip' && 'md:h-56',
        className,
      )}
    >
      {picture && (
        <img
          src={picture.url}
          alt={title ? '' : (picture.alt ?? '')}
          width={800}
          height={isMain ? 435 : 400}
          fetchPriority={isFirst ? 'high' : 'auto'}
          loading={isFirst ? 'eager' : 'lazy'}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setWide({ url: picture.url, is: naturalWidth / naturalHeight > WIDE })
          }
          className={cn(
            !isWide && isMain && 'md:right-[5%]',
            !isWide && variant === 'strip' && 'md:right-[14%]',
            'absolute transition-transform duration-700 ease-out group-hover:scale-[1.02]',
            isWide
              ? 'inset-0 size-full object-cover'
              : 'right-0 bottom-0 h-full w-1/2 object-cover object-[center_62%] mix-blend-multiply [mask-image:linear-gradient(to_right,black_97%,transparent)] md:w-auto md:object-contain',
          )}
        />
      )}
      <div
        className={cn(
          'relative z-10 flex h-full w-[58%] flex-col items-start justify-center px-5',
          !isSmall && 'md:w-1/2',
          isMain && 'md:pl-14',
          variant === 'strip' && 'md:pl-10',
        )}
      >
        {tag && (
          <span
            className={cn(
              'mb-1.5 rounded-full bg-picture-ink px-2.5 py-1 font-bold text-[0.6875rem] text-picture-paper leading-none',
              !isSmall && 'md:mb-4 md:text-xs',
            )}
          >
            {tag}
          </span>
        )}
        {title && (
          <p
            className={cn(
              'whitespace-pre-line font-extrabold text-xl leading-tight tracking-tight',
              isMain && 'md:text-[2.75rem] md:leading-[1.15]',
              variant === 'strip' && 'md:text-3xl',
            )}
          >
            {title}
          </p>
        )}
        {description && (
          <p
            className={cn(
              'mt-1 line-clamp-2 text-picture-ink-2 text-xs',
              isMain && 'md:mt-3 md:line-clamp-3 md:text-lg',
              variant === 'strip' && 'md:mt-2 md:line-clamp-3 md:text-base',
            )}
          >
            {description}
          </p>
        )}
        {children}
      </div>
    </div>
  )
}
