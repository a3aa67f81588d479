// One row of the route table: a page as data. The server reads the rows as routes.json.
import type { ComponentType } from 'react'
import type { LoaderFunction } from 'react-router'
import type { Scope, UserType } from '../../api/session'

/** What a page's file exports. */
export type PageModule = { Component: ComponentType; loader?: LoaderFunction; ErrorBoundary?: ComponentType }

/** A group of the console's side menu. */
export type MenuGroup =
  | 'first'
  | 'orders'
  | 'products'
  | 'members'
  | 'money'
  | 'promotion'
  | 'content'
  | 'analytics'
  | 'site'

export type AppRoute = {
  /** As in the specification's route list; `:name` is a parameter, `:name?` may be missing. */
  path: string
  /** Name in the browser's tab, the breadcrumbs and the menu. */
  title: string
  page?: () => Promise<PageModule>
  /** Goes on to another path instead of showing a page. */
  redirect?: string
  /** Needs a login (spec V154). */
  login?: true
  /** A guest who found the order that `?order=` names needs no login. */
  guestOrder?: true
  /** Needs one of these scopes (spec V152). */
  scope?: readonly Scope[]
  /** Needs one of these kinds of member (spec V153). */
  userTypes?: readonly UserType[]
  /** Stands in the console's side menu. */
  menuGroup?: MenuGroup
  /** The menu's entry stays current at addresses that begin with one of these. */
  activePrefixes?: readonly string[]
  /** Where the menu's entry leads when the row has a parameter. */
  menuHref?: string
  /** The address of the page it stands under, where its own address does not tell. */
  parent?: string
  /** Something new is made at `?id=new` of it. */
  canCreate?: true
  /** Not for search engines. */
  noindex?: true
  /** Not in the specification's list: something it asks for has no address there. */
  notInSpec?: true
}
