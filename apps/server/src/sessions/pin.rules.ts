import { pinRules } from '@sallyport/contract/limits'

const sixDigits = /^[0-9]{6}$/

export type ReadPin = { readonly pin: string } | { readonly fault: 'PIN_REQUIRED' | 'PIN_INVALID' }

/** A PIN as it came, or what is wrong with it. */
export function readPin(text: string): ReadPin {
  if (text === '') return { fault: 'PIN_REQUIRED' }
  const isPin = sixDigits.test(text) && Number(text) >= pinRules.smallest && Number(text) <= pinRules.largest
  return isPin ? { pin: text } : { fault: 'PIN_INVALID' }
}

/** PINs that anybody would try first: one digit throughout, or a run up or down. */
export function isTrivial(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, place) => Number(digit) - Number(pin[place]))
  return [-1, 0, 1].some((step) => steps.every((one) => one === step))
}
