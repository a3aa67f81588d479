// A slide of a banner as a link: a click is logged, then it opens here or in a new window (spec V071, V072).
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { logBanner, type Slide as SlideData } from '../../features/content/api'
import { cn } from '../../lib/cn'
import { innerPath, isExternal } from '../../lib/links'
import { routeExists } from '../../lib/routeRegistry'
import { Link } from '../../ui/Link'
import { PictureSlide } from '../../ui/PictureSlide'
import { isFallbackSlide } from './fallbackSlides'

type SlideProps = { slide: SlideData; index: number; variant: 'main' | 'strip' }

export function Slide({ slide, index, variant }: SlideProps) {
  const { title, description, tag } = slide.meta ?? {}
  const isMain = variant === 'main'
  return (
    <PictureSlide
      picture={slide.image}
      title={title}
      description={description}
      tag={tag}
      index={index}
      variant={variant}
    >
      <SlideLink slide={slide}>
        <span
          className={cn(
            'mt-2.5 inline-flex items-center gap-1 font-bold text-xs md:gap-2 md:text-base',
            isMain ? 'md:mt-8 md:rounded-md md:bg-picture-ink md:px-5 md:py-3 md:text-picture-paper' : 'md:mt-4',
          )}
        >
          보러 가기
          <ArrowRight aria-hidden className="size-4" />
        </span>
      </SlideLink>
    </PictureSlide>
  )
}

const ALL_OVER =
  'static after:absolute after:inset-0 after:rounded-xl focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-picture-ink focus-visible:after:-outline-offset-4'

/** Whether it has a target. Internal pages that do not exist yet are not linked. */
export const leadsOn = ({ url, isOuterLink }: Pick<SlideData, 'url' | 'isOuterLink'>): boolean =>
  Boolean(url && (isOuterLink || isExternal(url) || routeExists(innerPath(url))))

function SlideLink({ slide, children }: { slide: SlideData; children: ReactNode }) {
  const { url, isOuterLink, target, meta, image } = slide
  if (!url || !leadsOn(slide)) return null
  const away = isOuterLink || isExternal(url)
  const name = `${meta?.title || image.alt || '배너'} 보러 가기`
  const count = () => {
    if (!isFallbackSlide(slide)) void logBanner({ _slide: slide._id })
  }
  // The whole slide is the link; its text is in the middle.
  return away || target === '_blank' ? (
    <a
      href={url}
      target={target === '_self' ? undefined : '_blank'}
      rel="noreferrer"
      aria-label={target === '_self' ? name : `${name} (새 창)`}
      onClick={count}
      className={ALL_OVER}
    >
      {children}
    </a>
  ) : (
    <Link to={innerPath(url)} aria-label={name} onClick={count} className={ALL_OVER}>
      {children}
    </Link>
  )
}
