// Refusals of the server as one error type for all screens.
import { ko } from '../i18n/ko'
import type { components } from './schema.gen'

type ErrorBody = components['schemas']['ErrorBody']

/** An invalid field; `field` is a path such as `receiver.phone`. */
export type FieldError = { field: string; code: string; message: string }

/** A refused or failed call. `status` 0 means that there was no response. */
export class ApiError extends Error {
  /** Already shown to the user (403, logout); screens do not repeat it. */
  alerted = false

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: readonly FieldError[] = [],
    readonly requestId?: string,
    /** Details specific to the code, e.g. the new quote of `price_changed`. */
    readonly details?: unknown,
  ) {
    super(message)
    this.name = 'ApiError'
  }

  /** The message for one form field, if the server named it. */
  field(path: string): string | undefined {
    return this.fields.find((f) => f.field === path)?.message
  }

  /** The message where the fields are not on screen: all field messages, or else the general one. */
  get told(): string {
    return [...new Set(this.fields.map((field) => field.message))].join(' ') || this.message
  }

  /**
   * Messages for the fields a form shows: a path within one of them (`images.0.url`) counts as its own; messages for other fields
   * become `form`.
   */
  onForm(shown: readonly string[]): Record<string, string> {
    if (this.fields.length === 0) return { form: this.message }
    const found: Record<string, string> = {}
    for (const { field, message } of this.fields) {
      const at = shown.find((one) => field === one || field.startsWith(`${one}.`)) ?? 'form'
      found[at] ??= message
    }
    return found
  }

  /** Messages by field path, for a form's state. */
  byField(): Record<string, string> {
    return Object.fromEntries(this.fields.map((f) => [f.field, f.message]))
  }
}

/** Parses a refusal; a foreign response (e.g. a proxy's page) still becomes a usable error. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: Partial<ErrorBody> | undefined = await response
    .clone()
    .json()
    .catch(() => undefined)
  const refusal = body?.error
  const fallback = response.status === 403 ? ko.state.forbidden : ko.state.errorText
  return new ApiError(
    response.status,
    refusal?.code ?? `http_${response.status}`,
    refusal?.message ?? fallback,
    refusal?.fields,
    refusal?.requestId,
    refusal && 'details' in refusal ? refusal.details : undefined,
  )
}

/** Converts any thrown value to an {@link ApiError}. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof TypeError) return new ApiError(0, 'network', ko.state.network)
  return new ApiError(0, 'unknown', thrown instanceof Error ? thrown.message : ko.state.errorText)
}
