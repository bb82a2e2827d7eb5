import { expect, test } from 'vitest'
import { identifierOf } from './identifier.ts'

test('an email address is trimmed and lower-cased (ACC-01)', () => {
  expect(identifierOf('  Mara@Harborlight.Studio ')).toEqual({ email: 'mara@harborlight.studio' })
})

test('a phone number is accepted in place of an email address, in any notation (ACC-03)', () => {
  expect(identifierOf('+49 (151) 234-56.78')).toEqual({ phone: '+491512345678' })
})

test('input that is not a phone number counts as an email address', () => {
  expect(identifierOf('12345')).toEqual({ email: '12345' })
  expect(identifierOf('4915123@example.org')).toEqual({ email: '4915123@example.org' })
})
