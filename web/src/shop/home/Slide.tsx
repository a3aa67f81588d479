// A slide of a banner: its words beside the picture, or over it where the picture was made wide. A click is counted, then the link
// opens here or in a new window (spec V071, V072).
import { ArrowRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { logBanner, type Slide as SlideData } from '../../features/content/api'
import { cn } from '../../lib/cn'
import { innerPath, isExternal } from '../../lib/links'
import { routeExists } from '../../lib/routeRegistry'
import { isFallbackSlide } from './fallbackSlides'

/** Warm grounds for pictures on white, one after the other; the same by day and night, as the pictures are. */
const GROUNDS = ['#f3ece4', '#e7efec', '#f6eddd', '#eceaf3', '#f4e6e2']
/** From this shape on a picture fills the slide. */
const WIDE = 1.4

type SlideProps = { slide: SlideData; at: number; look: 'main' | 'strip' }

export function Slide({ slide, at, look }: SlideProps) {
  const [wide, setWide] = useState<boolean>()
  const { title, description, tag } = slide.meta ?? {}
  const main = look === 'main'
  return (
    <div
      className={cn(
        'group relative grid h-full overflow-hidden rounded-xl text-[#1b1916]',
        'aspect-[1.8375] md:aspect-auto',
        main ? 'md:h-[27rem]' : 'md:h-56',
      )}
      style={{ background: GROUNDS[at % GROUNDS.length] }}
    >
      <img
        src={slide.image.url}
        alt={title ? '' : (slide.image.alt ?? '')}
        width={800}
        height={main ? 435 : 400}
        fetchPriority={at === 0 && main ? 'high' : 'auto'}
        loading={at === 0 && main ? 'eager' : 'lazy'}
        onLoad={({ currentTarget }) => setWide(currentTarget.naturalWidth / currentTarget.naturalHeight > WIDE)}
        className={cn(
          !wide && (main ? 'md:right-[5%]' : 'md:right-[14%]'),
          'absolute transition-transform duration-700 ease-out group-hover:scale-[1.02]',
          wide
            ? 'inset-0 size-full object-cover'
            : 'right-0 bottom-0 h-full w-1/2 object-cover object-[center_62%] mix-blend-multiply [mask-image:linear-gradient(to_right,black_97%,transparent)] md:w-auto md:object-contain',
        )}
      />
      <div
        className={cn(
          'relative z-10 flex h-full w-[58%] flex-col items-start justify-center px-5 md:w-1/2 md:pl-14',
          !main && 'md:pl-10',
        )}
      >
        {tag && (
          <span className="mb-1.5 rounded-full bg-[#1b1916] px-2.5 py-1 font-bold text-[#fff] text-[0.6875rem] leading-none md:mb-4 md:text-xs">
            {tag}
          </span>
        )}
        {title && (
          <p
            className={cn(
              'whitespace-pre-line font-extrabold text-xl leading-tight tracking-tight',
              main ? 'md:text-[2.75rem] md:leading-[1.15]' : 'md:text-3xl',
            )}
          >
            {title}
          </p>
        )}
        {description && (
          <p
            className={cn(
              'mt-1 line-clamp-2 text-[#57514a] text-xs md:mt-3 md:line-clamp-3 md:text-lg',
              !main && 'md:mt-2 md:text-base',
            )}
          >
            {description}
          </p>
        )}
        <Way slide={slide}>
          <span
            className={cn(
              'mt-2.5 inline-flex items-center gap-1 font-bold text-xs md:mt-8 md:gap-2 md:text-base',
              main && 'md:rounded-md md:bg-[#1b1916] md:px-5 md:py-3 md:text-[#fff]',
              !main && 'md:mt-4',
            )}
          >
            보러 가기
            <ArrowRight aria-hidden className="size-4" />
          </span>
        </Way>
      </div>
    </div>
  )
}

const ALL_OVER =
  'after:absolute after:inset-0 after:rounded-xl focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-[#1b1916] focus-visible:after:-outline-offset-4'

/** Is there a page to go to? One of ours that does not exist yet is not led to. */
export const leadsOn = ({ url, isOuterLink }: Pick<SlideData, 'url' | 'isOuterLink'>): boolean =>
  Boolean(url && (isOuterLink || isExternal(url) || routeExists(innerPath(url))))

function Way({ slide, children }: { slide: SlideData; children: ReactNode }) {
  const { url, isOuterLink, target, meta, image } = slide
  if (!url || !leadsOn(slide)) return null
  const away = isOuterLink || isExternal(url)
  const name = `${meta?.title || image.alt || '배너'} 보러 가기`
  const count = () => {
    if (!isFallbackSlide(slide)) void logBanner({ _slide: slide._id })
  }
  // The whole slide is the link; the words are in the middle of it.
  const look = cn('static', ALL_OVER)
  return away || target === '_blank' ? (
    <a
      href={url}
      target={target === '_self' ? undefined : '_blank'}
      rel="noreferrer"
      aria-label={target === '_self' ? name : `${name} (새 창)`}
      onClick={count}
      className={look}
    >
      {children}
    </a>
  ) : (
    <Link to={innerPath(url)} aria-label={name} onClick={count} className={look}>
      {children}
    </Link>
  )
}
