import { type Strings, translateAreas } from '#/strings/area.ts'
import { setLocale } from '#/strings/format.ts'

const localePattern = /^[a-z]{2,3}(-[A-Za-z]{2,8})*$/
/** How long the first paint may wait for a translation. */
const timeoutMs = 3000
const rightToLeft = /^(ar|fa|he|ur|en-XB)\b/

/**
 * Replaces the English strings by those of `/locales/<tag>.json`, compiled by `npm run strings`. English stays
 * where the file has no text of the expected form, or where there is no file.
 */
export async function loadTranslation(tag: string): Promise<void> {
  if (!localePattern.test(tag) || Intl.PluralRules.supportedLocalesOf(tag).length === 0) return
  const response = await fetch(`/locales/${tag}.json`, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) return
  const catalogue: unknown = await response.json()
  setLocale(tag)
  translateAreas((name, strings) => replaceStrings(tag, strings, property(catalogue, name)))
  document.documentElement.lang = tag
  document.documentElement.dir = rightToLeft.test(tag) ? 'rtl' : 'ltr'
}

/** Replaces strings by strings and functions by functions; what is missing or of another type stays. */
export function replaceStrings(tag: string, strings: Strings, translated: unknown): void {
  for (const [key, english] of Object.entries(strings)) {
    const text = property(translated, key)
    const replacement = typeof english === 'function' ? createFunction(tag, text) : text
    if (typeof english === 'object') replaceStrings(tag, english as Strings, text)
    else if (typeof replacement === typeof english) Object.assign(strings, { [key]: replacement })
  }
}

/** A text with positions as placeholders, such as `{{0}} of {{1}}`, or an object with the plural forms of one. */
function createFunction(tag: string, text: unknown): unknown {
  if (typeof text === 'string') return (...values: readonly unknown[]) => insert(tag, text, values)
  const position = property(text, 'count')
  const other = property(text, 'other')
  if (typeof position !== 'number' || typeof other !== 'string') return null
  const rules = new Intl.PluralRules(tag)
  return (...values: readonly unknown[]) => {
    const count = Number(values[position])
    const form = (count === 0 && property(text, 'zero')) || property(text, rules.select(count))
    return insert(tag, typeof form === 'string' ? form : other, values)
  }
}

/** Isolates inserted texts, so that their writing direction does not change the one of the sentence. */
function insert(tag: string, text: string, values: readonly unknown[]): string {
  return text.replace(/\{\{(\d+)(, number)?\}\}/g, (_, position: string, useGrouping?: string) => {
    const value = values[Number(position)]
    return typeof value === 'number'
      ? new Intl.NumberFormat(tag, { useGrouping: useGrouping !== undefined }).format(value)
      : `\u2068${value}\u2069`
  })
}

const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined
