let locale = 'en-GB'
/** The locale of dates. English keeps the order and the clock of the browser. */
let dateLocale: string | undefined

/** Formats numbers, plurals and dates for the language of a loaded translation from now on. */
export function setLocale(tag: string): void {
  locale = tag
  dateLocale = tag
}

interface PluralForms {
  /** Instead of `other` for exactly 0. */
  readonly zero?: string
  readonly one: string
  readonly other: string
}

/** Returns the English form for `count`. A translation has the forms of its language. */
export function plural(count: number, forms: PluralForms): string {
  if (count === 0 && forms.zero !== undefined) return forms.zero
  return count === 1 ? forms.one : forms.other
}

/** A number with separators between thousands: `10,000`. */
export const formatNumber = (value: number): string => new Intl.NumberFormat(locale).format(value)

/** A share of 0 to 100 with at most one decimal: `80.1%`. */
export const formatPercent = (value: number): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(value / 100)

/** A date, or the start of 1970 for a number that no date has: a server may send one, and formatters throw for it. */
export const toDate = (time: number): Date => new Date(Math.abs(time) <= 8.64e15 ? time : 0)

/** A date and a time in the given form, or numerically. */
export const formatDateTime = (time: number, options?: Intl.DateTimeFormatOptions): string =>
  toDate(time).toLocaleString(dateLocale, options)

/** A date without a time: `3 December 2026`. */
export const formatDate = (time: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(toDate(time))

/** The same in a column of a table: `3 Dec 2026`. */
export const formatShortDate = (time: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(toDate(time))

/** A day in UTC, such as 2026-11-28, as a short date: `28 Nov 2026`. */
export const formatUtcDay = (day: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(toDate(Date.parse(day)))

/** A date with the time of day: `3 December 2026, 4:24 PM`. */
export const formatDateAndTime = (time: number): string =>
  `${formatDate(time)}, ${toDate(time).toLocaleTimeString(dateLocale, { timeStyle: 'short' })}`

/** A past time in whole units: `5 minutes ago`, `yesterday`. */
export const formatUnitsAgo = (count: number, unit: 'day' | 'hour' | 'minute'): string =>
  new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-count, unit)

/** Items separated by commas: `a.txt, b.txt`. */
export const formatList = (items: readonly string[]): string =>
  new Intl.ListFormat(locale, { type: 'unit', style: 'short' }).format(items)
