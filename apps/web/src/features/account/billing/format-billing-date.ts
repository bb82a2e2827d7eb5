import { formatOptionalDate } from '#/strings/dates/optional-date.ts'

/** Formats a time in epoch seconds as a date; one that is missing or out of range has a text of its own. */
export const formatBillingDate = (seconds: number | null): string =>
  formatOptionalDate(seconds === null ? null : seconds * 1000)
