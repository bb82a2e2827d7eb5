import { expect, test } from 'vitest'
import { identifierOf } from './identifier.ts'

test('an address is taken in lower case and without the blanks around it (ACC-01)', () => {
  expect(identifierOf('  Mara@Harborlight.Studio ')).toEqual({ email: 'mara@harborlight.studio' })
})

test('a phone number is taken in place of an address, however it is written (ACC-03)', () => {
  expect(identifierOf('+49 (151) 234-56.78')).toEqual({ phone: '+491512345678' })
})

test('what cannot be a number is taken for an address', () => {
  expect(identifierOf('12345')).toEqual({ email: '12345' })
  expect(identifierOf('4915123@example.org')).toEqual({ email: '4915123@example.org' })
})
