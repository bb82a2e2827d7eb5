import { expect, test } from 'vitest'
import { identifierOf, normalizeTypedEmail } from './identifier.ts'

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

test.each([
  ['  Mara@Harborlight.Studio\t\u00a0'],
  ['mailto:mara@harborlight.studio'],
  ['MAILTO:mara@harborlight.studio?subject=Hello'],
  ['Mara Lind <mara@harborlight.studio>'],
  ['"Lind, Mara" <mailto:mara@harborlight.studio>,'],
  ['<mara@harborlight.studio>.'],
  ['mara@harborlight.studio.'],
  ['mara @ harborlight.studio;'],
  ['\ufeffmara\u200b@harborlight\u00ad.studio\u200e'],
  ['ｍａｒａ＠ｈａｒｂｏｒｌｉｇｈｔ．ｓｔｕｄｉｏ'],
])('the address in %j is found (ACC-01)', (typed) => {
  expect(normalizeTypedEmail(typed)).toBe('mara@harborlight.studio')
  expect(identifierOf(typed)).toEqual({ email: 'mara@harborlight.studio' })
})

test('letters of an address are not changed, and a phone number may be in full-width digits', () => {
  expect(normalizeTypedEmail('mära.o’neil+x@example.org')).toBe('mära.o’neil+x@example.org')
  expect(normalizeTypedEmail('a b@example.org')).toBe('a b@example.org')
  expect(identifierOf('＋４９１５１２３４５６７８\u200b')).toEqual({ phone: '+491512345678' })
})
