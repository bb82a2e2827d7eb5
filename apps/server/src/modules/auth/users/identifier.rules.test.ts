import { expect, test } from 'vitest'
import { normalizeEmail, normalizePhone } from './identifier.rules.ts'

test.each([
  ['ann@example.org'],
  ['  Ann@Example.ORG\t'],
  ['ＡＮＮ＠ｅｘａｍｐｌｅ．ｏｒｇ'],
  ['ann@example\u2024org'],
  ['\u{1D41A}\u{1D427}\u{1D427}@example.org'],
])('T053 %j is normalized to the same email address', (typed) => {
  expect(normalizeEmail(typed)).toBe('ann@example.org')
})

test.each([
  ['an n@example.org'],
  ['ann@@example.org'],
  ['ann@example.org@example.com'],
  ['ann'],
  ['@example.org'],
  ['ann@'],
  ['аnn@example.org'],
  ['ann@exаmple.org'],
  ['ann\u200b@example.org'],
  ['ann\u0000@example.org'],
  ['ann@example.org\nBcc: bob@example.org'],
  ['İnn@example.org'],
  ['.ann@example.org'],
  ['an..n@example.org'],
  ['ann@-example.org'],
  ['ann@example..org'],
  ['"ann b"@example.org'],
  [`${'a'.repeat(65)}@example.org`],
  [`ann@${'a.'.repeat(130)}org`],
])('T053 %j is rejected as invalid or deceptive', (typed) => {
  expect(normalizeEmail(typed)).toBeNull()
})

test.each([
  ['+49 (170) 123-45.67', '491701234567'],
  ['491701234567', '491701234567'],
  ['＋４９１７０１２３４５６７', '491701234567'],
])('ACC-03 the phone number %j is normalized', (typed, normal) => {
  expect(normalizePhone(typed)).toBe(normal)
})

test.each([[''], ['12345'], ['0170123456'], ['+49abc123456'], ['1234567890123456']])(
  'the phone number %j is rejected',
  (typed) => {
    expect(normalizePhone(typed)).toBeNull()
  },
)
