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
import { createFileNameCache } from './file-name-cache.ts'

async function createEncryptedFile(id: string, name: string, accountKey: Uint8Array) {
  const fileKey = createFileKey()
  const keys = await deriveFileKeys(fileKey, createFileHeader({ kind: 'personal', plainBytes: 5 }))
  return {
    id,
    originalName: await sealName({ name, mimeType: '', lastModified: 0 }, keys),
    encryptedFileKey: await wrapFileKey({ fileKey, keys, root: accountKey, wrapType: 'account' }),
  }
}

test('file names: names are decrypted with the account key', async () => {
  const accountKey = createAccountKey()
  const cache = createFileNameCache(async () => accountKey)

  cache.decrypt([
    await createEncryptedFile('a', 'Ångström “report”.pdf', accountKey),
    await createEncryptedFile('b', 'b.txt', accountKey),
  ])

  await until(() => cache.current().size === 2)
  expect(Object.fromEntries(cache.current())).toEqual({ a: 'Ångström “report”.pdf', b: 'b.txt' })
})

test('file names: a name that cannot be decrypted is unreadable, and the others are decrypted', async () => {
  const accountKey = createAccountKey()
  const cache = createFileNameCache(async () => accountKey)

  cache.decrypt([
    await createEncryptedFile('foreign', 'secret.txt', createAccountKey()),
    { id: 'nonsense', originalName: 'plain.txt', encryptedFileKey: 'none' },
    await createEncryptedFile('mine', 'mine.txt', accountKey),
  ])

  await until(() => cache.current().size === 3)
  expect(cache.current().get('foreign')).toBe('Unreadable name')
  expect(cache.current().get('nonsense')).toBe('Unreadable name')
  expect(cache.current().get('mine')).toBe('mine.txt')
})

test('file names: a long list is decrypted in batches of 24, and each name once', async () => {
  const accountKey = createAccountKey()
  const listed = await Promise.all(
    Array.from({ length: 60 }, (_, index) => createEncryptedFile(`${index}`, 'x', accountKey)),
  )
  const cache = createFileNameCache(async () => accountKey)
  const sizes: number[] = []
  cache.subscribe(() => sizes.push(cache.current().size))

  cache.decrypt(listed)
  cache.decrypt(listed)

  await until(() => cache.current().size === 60)
  expect(sizes).toEqual([24, 48, 60])
})

test('file names: the names of removed files are dropped', async () => {
  const accountKey = createAccountKey()
  const [remaining, removed] = [
    await createEncryptedFile('stays', 's', accountKey),
    await createEncryptedFile('goes', 'g', accountKey),
  ]
  const cache = createFileNameCache(async () => accountKey)
  cache.decrypt([remaining, removed])
  await until(() => cache.current().size === 2)

  cache.decrypt([remaining])

  expect([...cache.current().keys()]).toEqual(['stays'])
})

test('file names: a name is decrypted again when a later list has another file under the same id', async () => {
  const accountKey = createAccountKey()
  const cache = createFileNameCache(async () => accountKey)
  cache.decrypt([await createEncryptedFile('a', 'holiday.jpg', accountKey)])
  await until(() => cache.current().get('a') === 'holiday.jpg')

  cache.decrypt([await createEncryptedFile('a', 'taxes.pdf', accountKey)])

  expect(cache.current().has('a')).toBe(false)
  await until(() => cache.current().has('a'))
  expect(cache.current().get('a')).toBe('taxes.pdf')
})

test('file names: nameOf returns nothing for another file under the same id', async () => {
  const accountKey = createAccountKey()
  const cache = createFileNameCache(async () => accountKey)
  const [plans, taxes] = [
    await createEncryptedFile('a', 'plans.txt', accountKey),
    await createEncryptedFile('a', 'taxes.txt', accountKey),
  ]

  cache.decrypt([plans])
  await until(() => cache.current().size === 1)

  expect(cache.nameOf(plans)).toBe('plans.txt')
  expect(cache.nameOf(taxes)).toBeUndefined()
})

test('file names: the name of an upload of this page is known before it is decrypted, only for what it encrypted', async () => {
  const accountKey = createAccountKey()
  const own = await createEncryptedFile('own', 'A\u030angstrom.pdf', accountKey)
  const changed = { ...own, originalName: (await createEncryptedFile('own', 'b.txt', accountKey)).originalName }
  const cache = createFileNameCache(() => Promise.reject(new Error('No key is needed')))

  cache.addOwn(own, 'A\u030angstrom.pdf')

  expect(cache.nameOf(own)).toBe('\u00c5ngstrom.pdf')
  expect(cache.nameOf(changed)).toBeUndefined()
  cache.decrypt([own])
  await until(() => cache.current().size === 1)
  expect(cache.current().get('own')).toBe('\u00c5ngstrom.pdf')
})
