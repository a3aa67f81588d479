// Choosing options step by step (`색상`, then `사이즈`) and the choices that are stacked up.
import type { ProductDetail, ProductOption } from '../../api/types'

const PARTS = ' / '

/** One thing to buy: an option (or the product itself where it has none) and how many. */
export type OptionChoice = { option: ProductOption | undefined; quantity: number }

/** The names of the steps: `색상 / 사이즈` are two, if every value has as many parts. */
export function steps(options: readonly ProductOption[]): string[] {
  const name = options[0]?.name ?? ''
  const names = name.split(PARTS)
  const even = options.every((option) => option.name === name && option.value.split(PARTS).length === names.length)
  return even ? names : [name.replaceAll(PARTS, ', ')]
}

const partsOf = (option: ProductOption, count: number): string[] =>
  count === 1 ? [option.value] : option.value.split(PARTS)

export type StepChoice = {
  value: string
  hexa?: string
  /** Address of its picture. */
  image?: string
  soldOut: boolean
  /** The option, where this step is the last. */
  option?: ProductOption
}

/** What can be chosen in step `picked.length`, after what was picked before. */
export function stepChoices(options: readonly ProductOption[], count: number, picked: readonly string[]): StepChoice[] {
  const at = picked.length
  const fitting = options.filter(
    (option) => option.enabled && picked.every((value, i) => partsOf(option, count)[i] === value),
  )
  const values = [...new Set(fitting.map((option) => partsOf(option, count)[at] ?? ''))]
  return values.map((value) => {
    const these = fitting.filter((option) => partsOf(option, count)[at] === value)
    return {
      value,
      hexa: at === 0 ? (these[0]?.hexa ?? undefined) : undefined,
      image: at === 0 ? these.find((option) => option.image)?.image?.url : undefined,
      soldOut: these.every((option) => option.soldOut),
      option: at === count - 1 ? these[0] : undefined,
    }
  })
}

/** Puts an option on the stack; one that is there already counts one more, as far as the stock goes. */
export function choose(chosen: readonly OptionChoice[], option: ProductOption): OptionChoice[] {
  const known = chosen.find((one) => one.option?._id === option._id)
  if (!known) return [...chosen, { option, quantity: 1 }]
  return chosen.map((one) => (one === known ? { ...one, quantity: Math.min(option.stock, one.quantity + 1) } : one))
}

/** Does one have to choose an option? */
export const hasOptions = (product: ProductDetail): boolean => product.optionsConf.enabled && product.options.length > 0

/** What a choice costs a piece. */
export const unitPriceOf = (product: ProductDetail, { option }: OptionChoice): number =>
  option?.salePrice ?? product.salePrice

/** A step with only one choice before the last is no question: it is picked by itself. */
export function autoSelectSingle(
  options: readonly ProductOption[],
  count: number,
  picked: readonly string[],
): string[] {
  if (picked.length >= count - 1) return [...picked]
  const [only, ...more] = stepChoices(options, count, picked)
  return only && more.length === 0 ? autoSelectSingle(options, count, [...picked, only.value]) : [...picked]
}
