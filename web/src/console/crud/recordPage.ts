// The page of a kind of record in the console, as its folder declares it (`page.ts`). Title and scopes are the server's.
import type { ComponentType } from 'react'
import { type KnownKind, kindOf } from './schema'

/** Groups of the console's side menu that kinds of records are in. */
type RecordGroup = 'products' | 'members' | 'promotion' | 'content' | 'site' | 'center'

type Declaration = {
  /** The kind, as the server names it. */
  kind: string
  /** Its address; `:code` for kinds whose records are listed by their place. */
  page: string
  menuGroup: RecordGroup
  /** The address in the menu, where `page` has a parameter. */
  menuHref?: string
  /** The specification does not list the page. */
  notInSpec?: true
  load: () => Promise<{ Component: ComponentType }>
}

export type RecordPage = Declaration & Pick<KnownKind, 'title' | 'scopes' | 'canCreate'>

/** Registers the page of a kind: its route, title, menu entry, palette entries and links follow from it. */
export function recordPage(declared: Declaration): RecordPage {
  const kind = kindOf(declared.kind)
  if (!kind) throw new Error(`no such kind of record: ${declared.kind}`)
  return { ...declared, title: kind.title, scopes: kind.scopes, canCreate: kind.canCreate }
}

/** Where a record is edited, with `{code}` and `{id}`. */
export const editedAt = ({ page }: RecordPage): string => `${page.replace(':code', '{code}')}?id={id}`
