// The records that the palette finds: orders, products, coupons, and for staff members.
import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import type { Scope } from '../../api/session'
import { paletteWords } from './words'

export type Goal = { to: string; title: string; group: string }

const DEBOUNCE_MS = 250
/** Shorter texts match nearly everything. */
const LETTERS_LEAST = 2
const EACH = 4
const t = paletteWords.kinds

/** The typed text, once typing has paused. */
function useSettled(words: string): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words.trim()), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [words])
  return settled
}

export function useFoundRecords(words: string, scopes: readonly Scope[]): { goals: Goal[]; isLoading: boolean } {
  const sought = useSettled(words)
  const enabled = sought.length >= LETTERS_LEAST
  const isStaff = scopes.includes('console')
  const read = { query: { searchValue: sought }, headers: paged(1, EACH) }
  const settings = { enabled, placeholderData: keepPreviousData, retry: false, meta: { suppressToast: true } }
  const orders = useApiQuery('/api/console/shop/purchases', read, settings)
  const products = useApiQuery('/api/console/shop/products', read, settings)
  const coupons = useApiQuery('/api/console/shop/coupons', read, settings)
  const members = useApiQuery('/api/console/users', read, { ...settings, enabled: enabled && isStaff })
  const isWaiting = words.trim() !== sought && words.trim().length >= LETTERS_LEAST
  if (!enabled) return { goals: [], isLoading: isWaiting }
  const lists = [orders, products, coupons, ...(isStaff ? [members] : [])]
  const goals: Goal[] = [
    ...(orders.data?.purchases ?? []).map((row) => ({
      to: `/console/shop/orders/${row._order}`,
      title: [row.orderNo, row.buyerName, row.name].filter(Boolean).join(' · '),
      group: t.order,
    })),
    ...(products.data?.products ?? []).map((row) => ({
      to: `/console/shop/products/${row._id}`,
      title: [row.name, row.code].filter(Boolean).join(' · '),
      group: t.product,
    })),
    ...(isStaff ? (members.data?.users ?? []) : []).map((row) => ({
      to: `/console/ledgers/member/${row._id}`,
      title: row.name,
      group: t.member,
    })),
    ...(coupons.data?.coupons ?? []).map((row) => ({
      to: `/console/shop/coupons?id=${row._id}`,
      title: row.name,
      group: t.coupon,
    })),
  ]
  // Several purchases of one order are one goal.
  const distinct = goals.filter(({ to }, i) => goals.findIndex((one) => one.to === to) === i)
  return { goals: distinct, isLoading: isWaiting || lists.some((list) => list.isLoading) }
}
