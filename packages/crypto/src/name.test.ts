import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openName } from './name.ts'
import { sealName } from './seal-name.ts'
import { isSealedName } from './sealed-name.ts'
import { createSealedFile } from './testing/sealed-file.ts'

const testName = { name: 'report.pdf', mimeType: 'application/pdf', lastModified: 1_767_225_600_000 }

test('a name, type and time open as they were sealed, the name in NFC', async () => {
  const { keys } = await createSealedFile(44)
  const texts = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength })
  await fc.assert(
    fc.asyncProperty(
      texts(60),
      texts(10),
      fc.integer({ min: 0, max: 2 ** 50 }),
      async (name, mimeType, lastModified) => {
        const sealedName = await sealName({ name, mimeType, lastModified }, keys)

        expect(isSealedName(sealedName)).toBe(true)
        expect(await openName(sealedName, keys)).toEqual({ name: name.normalize('NFC'), mimeType, lastModified })
      },
    ),
    { numRuns: 200 },
  )
})

test('names of similar length have the same sealed length', async () => {
  const { keys } = await createSealedFile(44)
  const lengths = await Promise.all(
    ['a', 'report.pdf', 'a somewhat longer name.txt'].map(
      async (name) => (await sealName({ ...testName, name, mimeType: 'text/plain' }, keys)).length,
    ),
  )

  expect(lengths).toEqual([127, 127, 127])
})

test('the longest name has 1,663 sealed characters', async () => {
  const { keys } = await createSealedFile(44)

  const sealedName = await sealName({ ...testName, name: 'n'.repeat(1024), mimeType: 'm'.repeat(127) }, keys)

  expect(sealedName).toHaveLength(1663)
  expect(isSealedName(sealedName)).toBe(true)
})

test('T040 a name of 1,025 bytes is too long, however few characters it has', async () => {
  const { keys } = await createSealedFile(44)

  await expect(sealName({ ...testName, name: 'n'.repeat(1025) }, keys)).rejects.toMatchObject({ code: 'too-long' })
  await expect(sealName({ ...testName, name: '€'.repeat(342) }, keys)).rejects.toMatchObject({ code: 'too-long' })
  await expect(sealName({ ...testName, mimeType: 'm'.repeat(128) }, keys)).rejects.toMatchObject({ code: 'too-long' })
})

test('T017 the name of another file does not open', async () => {
  const [one, other] = [await createSealedFile(44), await createSealedFile(44)]
  const sealedName = await sealName(testName, other.keys)

  await expect(openName(sealedName, one.keys)).rejects.toMatchObject({ code: 'damaged' })
})

test('a time before 1970 becomes 0 and a fraction is truncated', async () => {
  const { keys } = await createSealedFile(44)
  const roundTrip = async (lastModified: number) =>
    (await openName(await sealName({ ...testName, lastModified }, keys), keys)).lastModified

  expect(await roundTrip(-5)).toBe(0)
  expect(await roundTrip(12.9)).toBe(12)
  await expect(roundTrip(Number.NaN)).rejects.toMatchObject({ code: 'malformed' })
})

test.each([
  '',
  'report.pdf',
  'ef1.',
  'ef1.short',
  'kid.AAAA',
  `ef1.${'A'.repeat(122)}`,
  `ef1.${'A'.repeat(1701)}`,
  `ef1.${'+'.repeat(130)}`,
])('the text %j does not have the form of a sealed name', (text) => {
  expect(isSealedName(text)).toBe(false)
})
