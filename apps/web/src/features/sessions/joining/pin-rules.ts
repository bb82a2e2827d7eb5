import { sessionStrings } from '#/strings/sessions.ts'

/** The error of a typed PIN; null where it is valid. */
export function pinErrorOf(pin: string): string | null {
  if (pin === '') return sessionStrings.pinMissing
  if (pin.length === 6 && pin.startsWith('0')) return sessionStrings.pinStartsWithZero
  return /^\d{6}$/.test(pin) ? null : sessionStrings.pinIncomplete
}

/** Formats a PIN as two groups of three digits, as people read it out. */
export const formatPin = (pin: string): string => `${pin.slice(0, 3)} ${pin.slice(3)}`
