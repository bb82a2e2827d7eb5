import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openName, sealName } from './name.ts'
import { isSealedName } from './sealed-name.ts'
import { aSealedFile } from './testing/sealed-file.ts'

const aName = { name: 'report.pdf', mimeType: 'application/pdf', lastModified: 1_767_225_600_000 }

test('any name, type and time open as they were sealed, the name in NFC', async () => {
  const { keys } = await aSealedFile(44)
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

test('names of similar length look alike from outside', async () => {
  const { keys } = await aSealedFile(44)
  const lengths = await Promise.all(
    ['a', 'report.pdf', 'a somewhat longer name.txt'].map(
      async (name) => (await sealName({ ...aName, name, mimeType: 'text/plain' }, keys)).length,
    ),
  )

  expect(lengths).toEqual([127, 127, 127])
})

test('the longest name there can be has 1,663 characters sealed', async () => {
  const { keys } = await aSealedFile(44)

  const sealedName = await sealName({ ...aName, name: 'n'.repeat(1024), mimeType: 'm'.repeat(127) }, keys)

  expect(sealedName).toHaveLength(1663)
  expect(isSealedName(sealedName)).toBe(true)
})

test('T040 a name of 1,025 bytes is too long, however few letters it has', async () => {
  const { keys } = await aSealedFile(44)

  await expect(sealName({ ...aName, name: 'n'.repeat(1025) }, keys)).rejects.toMatchObject({ code: 'too-long' })
  await expect(sealName({ ...aName, name: '€'.repeat(342) }, keys)).rejects.toMatchObject({ code: 'too-long' })
  await expect(sealName({ ...aName, mimeType: 'm'.repeat(128) }, keys)).rejects.toMatchObject({ code: 'too-long' })
})

test('T017 the name of another file is unreadable, never shown', async () => {
  const [one, other] = [await aSealedFile(44), await aSealedFile(44)]
  const sealedName = await sealName(aName, other.keys)

  await expect(openName(sealedName, one.keys)).rejects.toMatchObject({ code: 'damaged' })
})

test('a time before 1970 or with a fraction is kept as well as it can be', async () => {
  const { keys } = await aSealedFile(44)
  const kept = async (lastModified: number) =>
    (await openName(await sealName({ ...aName, lastModified }, keys), keys)).lastModified

  expect(await kept(-5)).toBe(0)
  expect(await kept(12.9)).toBe(12)
  await expect(kept(Number.NaN)).rejects.toMatchObject({ code: 'malformed' })
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
])('the text %j has not the form of a sealed name', (text) => {
  expect(isSealedName(text)).toBe(false)
})
