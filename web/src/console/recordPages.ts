// The pages of the kinds of records that register themselves: every folder with a `page.ts`.
import type { RecordPage } from './crud/recordPage'

const found = import.meta.glob<{ default: RecordPage }>('./*/page.ts', { eager: true })

export const recordPages: readonly RecordPage[] = Object.values(found).map((module) => module.default)
