import { pinRules } from '@sallyport/contract/limits'

const sixDigits = /^[0-9]{6}$/

export type ParsedPin = { readonly pin: string } | { readonly error: 'PIN_REQUIRED' | 'PIN_INVALID' }

/** Parses a PIN, or returns what is wrong with it. */
export function parsePin(text: string): ParsedPin {
  if (text === '') return { error: 'PIN_REQUIRED' }
  const isPin = sixDigits.test(text) && Number(text) >= pinRules.smallest && Number(text) <= pinRules.largest
  return isPin ? { pin: text } : { error: 'PIN_INVALID' }
}

/** PINs that a guesser tries first: one repeated digit, or a run up or down. */
export function isTrivial(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index]))
  return [-1, 0, 1].some((step) => steps.every((one) => one === step))
}
