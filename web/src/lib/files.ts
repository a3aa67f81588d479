// Files: readable size, file names, and saving a download.

const STEP = 1024

/** `820B`, `341KB`, `4.8MB`. */
export function fileSize(bytes: number): string {
  if (bytes < STEP) return `${bytes}B`
  const kilos = bytes / STEP
  return kilos < STEP ? `${Math.round(kilos)}KB` : `${(kilos / STEP).toFixed(1).replace(/\.0$/, '')}MB`
}

/** A name that every system takes: what has a meaning in a path is left out. */
export const fileName = (words: string, ending: string): string =>
  `${words
    .replace(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .trim()
    .replace(/\s+/g, '_')}.${ending}`

/** How long the browser has to take a file before its address is given back. */
const TAKEN_MS = 1000

/** Puts a file among the reader's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), TAKEN_MS)
}
