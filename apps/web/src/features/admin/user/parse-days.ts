import { adminLimits } from '@sallyport/contract/admin'

/** Reads a whole number of days from 1 to the maximum; null for anything else. */
export function parseDays(text: string): number | null {
  const trimmed = text.trim()
  const days = Number(trimmed)
  return /^\d{1,6}$/.test(trimmed) && days >= 1 && days <= adminLimits.maximumDays ? days : null
}
