// The keyboard and the ARIA attributes of a combobox (WAI-ARIA APG, "editable combobox with list autocomplete"): the text box keeps
// the focus, aria-activedescendant names the active option. The options themselves are rendered by ComboboxList.
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react'

type ComboboxOptions = {
  /** Keys of the options, in their order. */
  keys: readonly string[]
  open: boolean
  onChoose: (index: number) => void
  /** Called when an arrow key is pressed while the list is closed. */
  onOpen?: () => void
  /** Called when Escape is pressed while the list is open; omit where a layer around the combobox closes on Escape. */
  onClose?: () => void
  /** The first option is active without a key press, and Enter never submits the form. Otherwise the typed text is active. */
  autoSelect?: boolean
  /** The options belong to an earlier text: Enter waits for those of this one. */
  isStale?: boolean
}

export type Combobox = {
  listId: string
  /** Index of the active option, -1 for none. */
  active: number
  activate: (index: number) => void
  choose: (index: number) => void
  /** To be called when the text changes. */
  reset: () => void
  inputProps: {
    role: 'combobox'
    autoComplete: 'off'
    'aria-autocomplete': 'list'
    'aria-expanded': boolean
    'aria-controls': string | undefined
    'aria-activedescendant': string | undefined
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
  }
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`

export function useCombobox({
  keys,
  open,
  onChoose,
  onOpen,
  onClose,
  autoSelect = false,
  isStale = false,
}: ComboboxOptions): Combobox {
  const listId = useId()
  const [activeKey, setActiveKey] = useState<string>()
  /** Enter was pressed before the options of the text were loaded. */
  const [waits, setWaits] = useState(false)
  const found = activeKey === undefined ? -1 : keys.indexOf(activeKey)
  const active = !open ? -1 : found < 0 && autoSelect && keys.length > 0 ? 0 : found

  const reset = () => {
    setActiveKey(undefined)
    setWaits(false)
  }
  const choose = (index: number) => {
    reset()
    onChoose(index)
  }
  /** The option `step` further, wrapping around; without autoSelect the text itself is one of the positions. */
  const move = (step: 1 | -1) => {
    const first = autoSelect ? 0 : -1
    const places = keys.length - first
    if (keys.length > 0) setActiveKey(keys[((active - first + step + places) % places) + first])
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Keys that compose Hangul belong to the input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!open && !onOpen) return
      event.preventDefault()
      if (open) move(event.key === 'ArrowDown' ? 1 : -1)
      else onOpen?.()
    } else if (event.key === 'Enter' && open && (autoSelect || active >= 0)) {
      event.preventDefault()
      if (isStale) setWaits(autoSelect)
      else if (active >= 0) choose(active)
    } else if (event.key === 'Escape' && open && onClose) {
      event.stopPropagation()
      onClose()
    }
  }
  const onFresh = useEffectEvent(() => {
    if (active >= 0) choose(active)
    else setWaits(false)
  })
  useEffect(() => {
    if (waits && !(open && isStale)) onFresh()
  }, [waits, open, isStale])
  return {
    listId,
    active,
    activate: (index) => setActiveKey(keys[index]),
    choose,
    reset,
    inputProps: {
      role: 'combobox',
      autoComplete: 'off',
      'aria-autocomplete': 'list',
      'aria-expanded': open,
      'aria-controls': open ? listId : undefined,
      'aria-activedescendant': active >= 0 ? optionId(listId, active) : undefined,
      onKeyDown,
    },
  }
}
