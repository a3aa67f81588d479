// An amount: as it is typed while it is typed, in full once it is left.
import { useState } from 'react'
import { formatMoney, moneySign, parseMoney } from '../../../lib/money'
import { UnitInput } from './UnitInput'

/** An amount as one types it; empty where there is none. */
export const plain = (value: unknown): string =>
  typeof value === 'number' ? formatMoney(value, { sign: '', decimals: 2 }) : ''

type MoneyInputProps = {
  /** Hundredths. */
  value: unknown
  /** Hears every whole amount at once, so that Ctrl+S saves what is seen, and null when nothing is left. */
  onValue: (value: number | null) => void
}

export function MoneyInput({ value, onValue }: MoneyInputProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <UnitInput
      before={moneySign()}
      inputMode="decimal"
      value={typed ?? plain(value)}
      onChange={(event) => {
        setTyped(event.target.value)
        const amount = event.target.value.trim() === '' ? null : parseMoney(event.target.value)
        if (amount !== undefined && amount !== value) onValue(amount)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
