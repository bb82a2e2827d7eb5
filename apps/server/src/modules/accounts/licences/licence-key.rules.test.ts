import { keyChanges, textChanges } from '@sallyport/contract/testing/copied-texts'
import { expect, test } from 'vitest'
import { formatLicenceKey, keyCharacters, licenceKeyNormalForm } from './licence-key.rules.ts'

const key = formatLicenceKey(Uint8Array.from({ length: keyCharacters }, (_, index) => index * 37))

test('ACC-21 a key consists of 4 groups of 5 unambiguous characters', () => {
  expect(key).toMatch(/^SP(-[0-9A-HJKMNP-TV-Z]{5}){4}$/)
  expect(licenceKeyNormalForm(key)).toBe(key)
})

test('ACC-21 normalization ignores case and separators and maps similar characters', () => {
  const zeros = formatLicenceKey(new Uint8Array(keyCharacters))
  const ones = formatLicenceKey(new Uint8Array(keyCharacters).fill(1))

  expect(licenceKeyNormalForm(`  ${key.toLowerCase().replaceAll('-', ' ')} `)).toBe(key)
  expect(licenceKeyNormalForm(zeros.replaceAll('0', 'o'))).toBe(zeros)
  expect(licenceKeyNormalForm(ones.replaceAll('1', 'l'))).toBe(ones)
})

test('ACC-21 the check character detects every wrong character and every swap of two neighbours', () => {
  const characters = [...key.slice(3).replaceAll('-', '')]
  const changed = characters.flatMap((character, index) =>
    [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ']
      .filter((other) => other !== character)
      .map((other) => characters.with(index, other)),
  )
  const swapped = characters
    .slice(1)
    .map((character, index) => characters.with(index, character).with(index + 1, characters[index] ?? ''))
    .filter((one) => one.join('') !== characters.join(''))

  for (const one of [...changed, ...swapped]) expect(licenceKeyNormalForm(`SP${one.join('')}`), one.join('')).toBeNull()
})

test.each(['', 'SP', 'SP-00000-00000-00000-0000', 'XX-00000-00000-00000-00000', 'SP-UUUUU-00000-00000-00000'])(
  'ACC-21 %j is not a key',
  (typed) => {
    expect(licenceKeyNormalForm(typed)).toBeNull()
  },
)

test.each([...textChanges, ...keyChanges])(
  'ACC-21 a copied key is read after a change on its way: $name',
  ({ change }) => {
    expect(licenceKeyNormalForm(change(key))).toBe(key)
  },
)
