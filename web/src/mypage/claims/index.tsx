// The pages of claims: the applications, and a single claim. They share most of their code, so they are one chunk.
import type { ComponentType } from 'react'
import { useLocation } from 'react-router'
import { CancelApplicationPage } from './CancelApplication'
import { ClaimDetailPage } from './ClaimDetail'
import { ExchangeApplicationPage } from './ExchangeApplication'
import { ReturnApplicationPage } from './ReturnApplication'

/** By the last segment of their address. */
const PAGES: Record<string, ComponentType> = {
  'return-application': ReturnApplicationPage,
  'exchange-application': ExchangeApplicationPage,
  'cancel-detail': () => <ClaimDetailPage kind="CANCEL" />,
  'return-detail': () => <ClaimDetailPage kind="RETURN" />,
  'exchange-detail': () => <ClaimDetailPage kind="EXCHANGE" />,
}

export function Component() {
  const [name = ''] = useLocation().pathname.toLowerCase().split('/').filter(Boolean).slice(-1)
  const Page = PAGES[name] ?? CancelApplicationPage
  return <Page />
}
