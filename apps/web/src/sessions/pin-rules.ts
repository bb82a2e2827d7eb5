import { sessionWords } from '#/words/sessions.ts'

/** What is wrong with a PIN that was typed; null when it can be sent. */
export function troubleOfPin(pin: string): string | null {
  if (pin === '') return sessionWords.pinMissing
  return /^\d{6}$/.test(pin) ? null : sessionWords.pinIncomplete
}

/** As people read it out: two groups of three. */
export const spellPin = (pin: string): string => `${pin.slice(0, 3)} ${pin.slice(3)}`
