// Files: readable size, file names, and saving a download.

const STEP = 1024

/** `820B`, `341KB`, `4.8MB`. */
export function fileSize(bytes: number): string {
  if (bytes < STEP) return `${bytes}B`
  const kilos = bytes / STEP
  return kilos < STEP ? `${Math.round(kilos)}KB` : `${(kilos / STEP).toFixed(1).replace(/\.0$/, '')}MB`
}

/** A file name valid on every system: characters with a meaning in paths are removed. */
export const fileName = (words: string, ending: string): string =>
  `${words
    .replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .trim()
    .replace(/\s+/g, '_')}.${ending}`

/** How long the browser has to read a file before its object URL is revoked. */
const TAKEN_MS = 1000

/** Saves a file to the user's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), TAKEN_MS)
}
