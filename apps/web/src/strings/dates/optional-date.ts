import { area } from '../area.ts'
import { formatDate } from '../format.ts'

const optionalDateStrings = area('optionalDate', {
  missing: 'Not available (test mode)',
  invalid: 'Invalid date',
})

const latestMs = 8.64e15

/** Whether a time is there and in the range of dates. */
export const isDate = (time: number | null): time is number => time !== null && Math.abs(time) <= latestMs

/** Formats a time as a date; one that is missing or out of range has a text of its own. */
export function formatOptionalDate(time: number | null): string {
  if (isDate(time)) return formatDate(time)
  return time === null ? optionalDateStrings.missing : optionalDateStrings.invalid
}
