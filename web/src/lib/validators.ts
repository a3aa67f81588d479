// What a person may type (spec V128-V151). Each rule answers the Korean prompt to show, or undefined when all is well.
import { validationWords } from '../i18n/validationWords'
import { parseMoney } from './money'
import { digits } from './phone'
// The server writes it (api/tests/it/http/documents.rs), so that there is one set of special characters.
import { passwordSpecials } from './rules.json'

/** A rule over one typed value. */
export type Rule = (value: string) => string | undefined

const says = validationWords
/** At least two letters, or `prompt`. */
export const longerThanOne =
  (prompt: string): Rule =>
  (value) =>
    value.trim().length > 1 ? undefined : prompt

/** Error messages per field. */
export const HINTS = {
  username: '영문 소문자와 숫자 6~20자',
  password: '영문, 숫자, 특수문자를 모두 포함해 8~16자',
  nickname: '공백과 특수문자 없이 2~15자',
} as const

/** Lowercase letters and digits, 6 to 20 (V128, V129). */
export const username: Rule = (value) => (/^[a-z0-9]{6,20}$/.test(value) ? undefined : says.username)

/** A special character, a letter and a digit; 8 to 16 characters (V130-V133). */
export const password: Rule = (value) => {
  const letters = [...value]
  const special = letters.some((letter) => passwordSpecials.includes(letter))
  const sound = special && /[A-Za-z]/.test(value) && /\d/.test(value) && letters.length >= 8 && letters.length <= 16
  return sound ? undefined : says.password
}

/** The same when changing one's data, but empty means "keep it" (V134). */
export const passwordChange: Rule = (value) => (value === '' ? undefined : password(value))

/** V135. */
export const name = longerThanOne(says.name)

/** A pattern with an at-sign and a dot (V136). */
export const email: Rule = (value) => (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? undefined : says.email)

/** Ten or eleven digits after stripping the rest (V137). */
export const phone: Rule = (value) => {
  const count = digits(value).length
  return count === 10 || count === 11 ? undefined : says.phone
}

/** Five digits. */
export const postcode: Rule = (value) => (/^\d{5}$/.test(value) ? undefined : says.postcode)

/** How long a name or a line of an address may be. */
export const LINE_MOST = 100

/** V139. */
export const subject = longerThanOne(says.subject)
/** V140. */
export const content = longerThanOne(says.content)

/** V141. */
export const promoterCode: Rule = (value) => (value.trim() === '' ? says.promoterCode : undefined)

/** Letters of any script and digits only, 2 to 15 (V142, V143). */
export const nickname: Rule = (value) => (/^[\p{L}\p{N}]{2,15}$/u.test(value) ? undefined : says.nickname)

/** V144. */
export const companyName = longerThanOne(says.companyName)
/** V145. */
export const ceoName = longerThanOne(says.ceoName)
/** V146. */
export const businessNumber = longerThanOne(says.businessNumber)
/** V147. */
export const licenseCode = longerThanOne(says.licenseCode)

/** Kinds of file a registration copy may be, as browsers call them. The server looks at what is in it. */
export const REGISTRATION_KINDS = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'application/pdf']
const REGISTRATION_MOST = 5 * 1024 * 1024

/** The copy of the business registration has to be attached (V148), and be one the server takes. */
export const businessRegistration = (file: Pick<File, 'type' | 'size'> | undefined): string | undefined => {
  if (!file) return says.businessRegistration
  // Where the browser does not know what it is, the server does.
  if (file.type !== '' && !REGISTRATION_KINDS.includes(file.type)) return says.registrationKind
  return file.size > REGISTRATION_MOST ? says.registrationSize : undefined
}

/** An amount of money, or nothing. */
export const amount: Rule = (value) =>
  value.trim() === '' || parseMoney(value) !== undefined ? undefined : says.amount

/** A whole percent, 0 to 100 (V150). */
export const percent: Rule = (value) => (/^\d{1,3}$/.test(value) && Number(value) <= 100 ? undefined : says.percent)

/** The last day a date field takes (V151). */
export const MAX_DATE = '2999-12-31'

/** YYYY-MM-DD, not after {@link MAX_DATE} (V151). */
export const date: Rule = (value) => {
  const real = /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true
  return real && value <= MAX_DATE ? undefined : says.date
}

/** Something was entered. */
export const required =
  (prompt: string): Rule =>
  (value) =>
    value.trim() === '' ? prompt : undefined

/** Checks the values that have a rule; answers only the fields that fail. */
export function failures<K extends string>(
  values: NoInfer<Readonly<Record<K, string>>>,
  rules: Partial<Record<K, Rule>>,
): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {}
  for (const [field, rule] of Object.entries(rules) as [K, Rule | undefined][]) {
    const message = rule?.(values[field])
    if (message) found[field] = message
  }
  return found
}
