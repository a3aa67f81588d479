// The tags of a product: each leads to what else is found by it, and is counted.

import { logTag } from '../../features/search/logTerm'
import { Link } from '../../ui/Link'

export const Tags = ({ tags }: { tags: readonly string[] }) =>
  tags.length > 0 && (
    <ul aria-label="태그" className="mt-3 flex flex-wrap gap-1.5">
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            to={`/search?searchValue=${encodeURIComponent(tag)}`}
            onClick={() => void logTag(tag)}
            className="inline-flex min-h-8 items-center rounded-full bg-sunken px-3 text-ink-2 text-sm hover:bg-line hover:text-ink"
          >
            #{tag}
          </Link>
        </li>
      ))}
    </ul>
  )
