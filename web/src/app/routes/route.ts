// One row of the route table: a page as data. The server reads the rows as routes.json.
import type { ComponentType } from 'react'
import type { LoaderFunction } from 'react-router'
import type { Scope, UserType } from '../../api/session'

/** Exports of a page's module. */
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
  | 'center'
  | 'analytics'
  | 'site'

export type AppRoute = {
  /** As in the specification's route list; `:name` is a parameter, `:name?` an optional one. */
  path: string
  /** Title in the browser's tab, the breadcrumbs and the menu. */
  title: string
  page?: () => Promise<PageModule>
  /** Redirects to another path instead of showing a page. */
  redirect?: string
  /** Requires a login (spec V154). */
  login?: true
  /** A guest who found the order that `?order=` names needs no login. */
  guestOrder?: true
  /** Requires one of these scopes (spec V152). */
  scope?: readonly Scope[]
  /** Requires one of these kinds of member (spec V153). */
  userTypes?: readonly UserType[]
  /** Group in the console's side menu. */
  menuGroup?: MenuGroup
  /** The menu entry is also marked current at addresses that begin with one of these. */
  activePrefixes?: readonly string[]
  /** Target of the menu entry when the path has a parameter. */
  menuHref?: string
  /** The address of the parent page, where the path does not show it. */
  parent?: string
  /** A new record is created at `?id=new` of it. */
  canCreate?: true
  /** Not indexed by search engines. */
  noindex?: true
  /** Not in the specification's list: the page of a requirement that has no address there. */
  notInSpec?: true
}
