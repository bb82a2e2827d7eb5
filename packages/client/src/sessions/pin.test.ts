import { expect, test } from 'vitest'
import { createPin } from './pin.ts'

test('SES-02 a random PIN has six digits and does not begin with 0', () => {
  const pins = Array.from({ length: 2000 }, createPin)

  expect(pins.every((pin) => /^[1-9]\d{5}$/.test(pin))).toBe(true)
  expect(new Set(pins).size).toBeGreaterThan(1950)
})
