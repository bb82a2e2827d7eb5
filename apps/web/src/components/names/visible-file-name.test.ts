import { expect, test } from 'vitest'
import { visibleFileName } from './visible-file-name.ts'

test.each([
  ['a name', 'plan.pdf', 'plan.pdf'],
  ['a deceptive name', 'invoice\u202egpj.exe', 'invoice[U+202E]gpj.exe'],
  ['an empty name', '', 'Unnamed file'],
  ['a name of spaces', ' \u00a0\u3000\t', 'Unnamed file'],
  ['a name of characters without a shape', '\u200b\u2060', '[U+200B][U+2060]'],
])('T040 %s is shown and never blank', (_, name, shown) => {
  expect(visibleFileName(name)).toBe(shown)
})
