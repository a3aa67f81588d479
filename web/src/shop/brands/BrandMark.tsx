// A brand's logo, or its name as text, on the background that all pictures share.
import type { Brand } from '../../features/content/api'
import { cn } from '../../lib/cn'

export function BrandMark({ brand, className }: { brand: Brand; className?: string }) {
  const { url } = brand.label ?? {}
  return (
    <span
      className={cn(
        'flex items-center justify-center overflow-hidden rounded-lg border border-line bg-picture text-picture-ink',
        className,
      )}
    >
      {url ? (
        <img src={url} alt="" loading="lazy" className="size-full object-contain p-1.5 mix-blend-multiply" />
      ) : (
        <span aria-hidden className="px-2 text-center font-extrabold text-lg leading-tight tracking-tight">
          {brand.nameEn || brand.name}
        </span>
      )}
    </span>
  )
}
