import {
  createAccountKey,
  createFileHeader,
  createFileKey,
  deriveFileKeys,
  sealName,
  wrapFileKey,
} from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { until } from '#/testing/until.ts'
import { createNameBook } from './name-book.ts'

async function sealFile(id: string, name: string, accountKey: Uint8Array) {
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, createFileHeader({ kind: 'personal', plainBytes: 5 }))
  return {
    id,
    originalName: await sealName({ name, mimeType: '', lastModified: 0 }, keys),
    encryptedFileKey: await wrapFileKey({ fileKey, keys, root: accountKey, wrapType: 'account' }),
  }
}

test('names are opened with the account key', async () => {
  const accountKey = createAccountKey()
  const book = createNameBook(async () => accountKey)

  book.open([await sealFile('a', 'Ångström “report”.pdf', accountKey), await sealFile('b', 'b.txt', accountKey)])

  await until(() => book.current().size === 2)
  expect(Object.fromEntries(book.current())).toEqual({ a: 'Ångström “report”.pdf', b: 'b.txt' })
})

test('a name that cannot be opened is said to be unreadable, and the others are opened all the same', async () => {
  const accountKey = createAccountKey()
  const book = createNameBook(async () => accountKey)

  book.open([
    await sealFile('foreign', 'secret.txt', createAccountKey()),
    { id: 'nonsense', originalName: 'plain.txt', encryptedFileKey: 'none' },
    await sealFile('mine', 'mine.txt', accountKey),
  ])

  await until(() => book.current().size === 3)
  expect(book.current().get('foreign')).toBe('Unreadable name')
  expect(book.current().get('nonsense')).toBe('Unreadable name')
  expect(book.current().get('mine')).toBe('mine.txt')
})

test('a long list comes open bit by bit, and each name once', async () => {
  const accountKey = createAccountKey()
  const listed = await Promise.all(Array.from({ length: 60 }, (_, index) => sealFile(`${index}`, 'x', accountKey)))
  const book = createNameBook(async () => accountKey)
  const sizes: number[] = []
  book.subscribe(() => sizes.push(book.current().size))

  book.open(listed)
  book.open(listed)

  await until(() => book.current().size === 60)
  expect(sizes).toEqual([24, 48, 60])
})

test('the names of files that are gone are forgotten', async () => {
  const accountKey = createAccountKey()
  const [stays, goes] = [await sealFile('stays', 's', accountKey), await sealFile('goes', 'g', accountKey)]
  const book = createNameBook(async () => accountKey)
  book.open([stays, goes])
  await until(() => book.current().size === 2)

  book.open([stays])

  expect([...book.current().keys()]).toEqual(['stays'])
})

test('a name is opened again when a later list has another sealed file under the same id', async () => {
  const accountKey = createAccountKey()
  const book = createNameBook(async () => accountKey)
  book.open([await sealFile('a', 'holiday.jpg', accountKey)])
  await until(() => book.current().get('a') === 'holiday.jpg')

  book.open([await sealFile('a', 'taxes.pdf', accountKey)])

  expect(book.current().has('a')).toBe(false)
  await until(() => book.current().has('a'))
  expect(book.current().get('a')).toBe('taxes.pdf')
})

test('a name is that of the very file it was opened from, not of another one under the same id', async () => {
  const accountKey = createAccountKey()
  const book = createNameBook(async () => accountKey)
  const [plans, taxes] = [await sealFile('a', 'plans.txt', accountKey), await sealFile('a', 'taxes.txt', accountKey)]

  book.open([plans])
  await until(() => book.current().size === 1)

  expect(book.nameOf(plans)).toBe('plans.txt')
  expect(book.nameOf(taxes)).toBeUndefined()
})
