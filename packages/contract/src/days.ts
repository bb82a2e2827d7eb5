import { day } from './units.ts'

/** The day of a time in UTC, such as 2026-11-28. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Returns the days up to the one of this time, the oldest first. */
export const lastDays = (count: number, time: number): string[] =>
  Array.from({ length: count }, (_, index) => dayOf(time - (count - 1 - index) * day))
