import { subscriptionStrings } from '#/strings/account/subscription.ts'
import { formatDate } from '#/strings/format.ts'

const latestMs = 8.64e15

/** Formats a time in epoch seconds as a date; one that is missing or out of range has a text of its own. */
export function formatBillingDate(seconds: number | null): string {
  if (seconds === null) return subscriptionStrings.noDate
  const time = seconds * 1000
  return Math.abs(time) <= latestMs ? formatDate(time) : subscriptionStrings.invalidDate
}
