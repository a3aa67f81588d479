// A product's picture on a common warm background; a missing one is a plain tile, never a broken icon.
import { ImageOff } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { cn } from '../lib/cn'
import { srcsetOf } from './pictures'

type PictureProps = {
  src?: string | null
  /** Empty when adjacent text says the same. */
  alt: string
  /** Width / height. */
  ratio?: number
  /** The first visible picture: loaded with high priority. */
  first?: boolean
  sizes?: string
  round?: boolean
  /** Shows the whole picture, whatever its shape. */
  whole?: boolean
  /** Badges over the picture (sold out, heart, rank). */
  children?: ReactNode
  className?: string
}

export function Picture({
  src,
  alt,
  ratio = 1,
  first = false,
  sizes,
  round = false,
  whole = false,
  children,
  className,
}: PictureProps) {
  const [broken, setBroken] = useState<string>()
  useEffect(() => {
    // The failure may be due to the connection.
    if (!broken) return
    const again = () => setBroken(undefined)
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [broken])
  return (
    <div
      className={cn('relative overflow-hidden bg-picture', round ? 'rounded-full' : 'rounded-lg', className)}
      style={{ aspectRatio: ratio }}
    >
      {src && broken !== src ? (
        <img
          sizes={sizes}
          srcSet={srcsetOf(src)}
          src={src}
          alt={alt}
          width={800}
          height={Math.round(800 / ratio)}
          loading={first ? 'eager' : 'lazy'}
          fetchPriority={first ? 'high' : 'auto'}
          decoding="async"
          onError={() => setBroken(src)}
          // Pictures have a white background; multiplied, it takes the tile's colour.
          className={cn(
            'size-full mix-blend-multiply transition-transform duration-500 ease-out group-hover:scale-[1.03]',
            whole ? 'object-contain' : 'object-cover',
          )}
        />
      ) : (
        <div className="flex size-full flex-col items-center justify-center gap-1.5 text-picture-ink-2">
          <ImageOff aria-hidden className="size-6 stroke-[1.4]" />
          <span className="text-xs">
            {alt ? <span className="sr-only">{alt} </span> : null}
            사진 준비 중
          </span>
        </div>
      )}
      {children}
    </div>
  )
}
