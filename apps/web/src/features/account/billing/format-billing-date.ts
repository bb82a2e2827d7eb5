import { subscriptionStrings } from '#/strings/account/subscription.ts'
import { formatDate } from '#/strings/format.ts'

const latestMs = 8.64e15

/** The date of a time in epoch seconds, with the words for one that is missing or that no date has. */
export function formatBillingDate(seconds: number | null): string {
  if (seconds === null) return subscriptionStrings.noDate
  const time = seconds * 1000
  return Math.abs(time) <= latestMs ? formatDate(time) : subscriptionStrings.invalidDate
}
