// Shows a blob in the page by an object URL.
import { useEffect, useState } from 'react'

/** The object URL of a blob, revoked on unmount or when the blob changes; undefined until there is a blob. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}
