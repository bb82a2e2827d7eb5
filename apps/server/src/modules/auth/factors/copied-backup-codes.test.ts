import { mfaLimits } from '@sallyport/contract/limits'
import { keyChanges, type TextChange, textChanges } from '@sallyport/contract/testing/copied-texts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backupCodeAlphabet, backupCodeGroup, normalizeBackupCode } from './backup-code.rules.ts'

const change = (name: string, apply: (code: string) => string): TextChange => ({ name, change: apply })

/** What people and programs do to a backup code on its way. */
const codeChanges: readonly TextChange[] = [
  ...[
    '3. ',
    '3) ',
    '10. ',
    '[ ] ',
    '• ',
    '- ',
    '③ ',
    'Code: ',
    'Sallyport backup code: ',
    'Two-factor authentication: ',
  ].map((start) => change(`starts with ${JSON.stringify(start)}`, (code) => start + code)),
  ...['«', '„', '`', '**', '‘'].map((mark) => change(`in ${mark}`, (code) => `${mark}${code}${mark}`)),
  ...['\u2010', '\u2012', '\u2014', '\u2015', '\u00ad', '\ufe63', '--', ' - ', ' – ', '_', '.', '/', '\n', '\t'].map(
    (dash) => change(`with ${JSON.stringify(dash)} for the hyphen`, (code) => code.replace('-', dash)),
  ),
  ...['\u200d', '\u200c', '\u2063', '\u2009', '\u202f', '\u3000'].map((piece) =>
    change(`contains ${JSON.stringify(piece)}`, (code) => `${code.slice(0, 3)}${piece}${code.slice(3)}`),
  ),
  change('nothing', (code) => code),
  change('upper case', (code) => code.toUpperCase()),
  change('the first letter in upper case', (code) => code.charAt(0).toUpperCase() + code.slice(1)),
  change('a space after each character', (code) => code.replace(/./g, '$& ')),
  change('in groups of four', (code) => code.replace('-', '').replace(/.{4}/g, '$& ')),
  change('a capital I and a capital O for digits', (code) => code.replaceAll('1', 'I').replaceAll('0', 'O')),
  change('mathematical letters', (code) =>
    code.replace(/[a-z]/g, (letter) => String.fromCodePoint(0x1d68a + letter.charCodeAt(0) - 0x61)),
  ),
]
const all = [...textChanges, ...keyChanges, ...codeChanges]
const rounds = 20

const anyGroup = fc
  .array(fc.constantFrom(...backupCodeAlphabet), { minLength: backupCodeGroup, maxLength: backupCodeGroup })
  .map((characters) => characters.join(''))
const anyCode = fc.tuple(anyGroup, anyGroup).map((groups) => groups.join('-'))
const anySet = fc.uniqueArray(anyCode, { minLength: mfaLimits.backupCodes, maxLength: mfaLimits.backupCodes })

/** What the field of the page makes of a pasted text. */
const paste = (text: string): string =>
  text
    .replace(/[\r\n]/g, '')
    .slice(0, mfaLimits.typedBackupCodeCharacters)
    .trim()

/** The code of a set that this text is accepted as; undefined if it is rejected. */
function findIn(codes: readonly string[], text: string): string | undefined {
  const found = normalizeBackupCode(text)
  return codes.find((code) => code.replace('-', '') === found)
}

test('ACC-18 a backup code works after each change on its way, pasted or sent as it is', () => {
  fc.assert(
    fc.property(anyCode, (code) => {
      for (const { name, change: apply } of all)
        for (const text of [apply(code), paste(apply(code))])
          expect(normalizeBackupCode(text), `${name}: ${text}`).toBe(code.replace('-', ''))
    }),
    { numRuns: rounds },
  )
})

test('ACC-18 a backup code works after two changes on its way or is rejected, and never counts as another', () => {
  let accepted = 0
  let tried = 0
  fc.assert(
    fc.property(anySet, fc.nat({ max: mfaLimits.backupCodes - 1 }), (codes, index) => {
      const code = codes[index] ?? ''
      for (const first of all)
        for (const second of all) {
          const found = findIn(codes, paste(second.change(first.change(code))))
          tried += 1
          if (found === undefined) continue
          accepted += 1
          expect(found, `${first.name}, ${second.name}`).toBe(code)
        }
    }),
    { numRuns: 3 },
  )
  expect(accepted / tried).toBeGreaterThan(0.85)
})

test('ACC-18 of several pasted backup codes the first one counts', () => {
  fc.assert(
    fc.property(anySet, (codes) => {
      for (const separator of ['\n', '\r\n', ' ', ', '])
        expect(findIn(codes, paste(codes.join(separator)))).toBe(codes[0])
    }),
    { numRuns: rounds },
  )
})

test('ACC-18 a backup code with a missing or a wrong character, or with two swapped, is rejected', () => {
  fc.assert(
    fc.property(anyCode, fc.nat({ max: 2 * backupCodeGroup }), (code, at) => {
      if (code[at] === '-') return
      const rest = code.slice(at + 1)
      const wrong = code[at] === '7' ? '8' : '7'
      const swapped = code.slice(0, at) + rest.slice(0, 1) + code[at] + rest.slice(1)

      expect(findIn([code], code.slice(0, at) + rest)).toBeUndefined()
      expect(findIn([code], code.slice(0, at) + wrong + rest)).toBeUndefined()
      if (swapped.replace('-', '') !== code.replace('-', '')) expect(findIn([code], swapped)).toBeUndefined()
    }),
  )
})

test('ACC-18 a text without a backup code is rejected, whatever it contains', () => {
  fc.assert(
    fc.property(anyCode, fc.string({ maxLength: mfaLimits.typedBackupCodeCharacters }), (code, text) => {
      expect(findIn([code], text)).toBeUndefined()
      expect(normalizeBackupCode(text).length).toBeLessThanOrEqual(2 * backupCodeGroup)
    }),
  )
})

test('a backup code of an earlier release, which has ten characters, is read as before', () => {
  for (const text of ['OABCD-efgh1', '0abcd efghl', ' 0ABCDEFGH1.'])
    expect(normalizeBackupCode(text)).toBe('0abcdefgh1')
})
