import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64url, toBase64url } from './base64url.ts'
import { concatBytes, utf8 } from './bytes.ts'
import { keyIdText, parseEnvelope, type WrapType } from './envelope.ts'
import { createFileKey, deriveFileKeys } from './file-keys.ts'
import { seal } from './gcm-seal.ts'
import { createFileHeader } from './header.ts'
import { deriveAesKey, deriveBytes, importRootKey } from './hkdf.ts'
import { labels } from './labels.ts'
import { openRecord } from './record.ts'
import { createKey } from './secret.ts'
import { expectCryptoError } from './testing/check.ts'
import { forgeTwoKeyRecord } from './testing/two-key-record.ts'
import { keyIdOf, openEnvelope } from './wrap.ts'
import { wrapFileKey } from './wrap-file-key.ts'

async function createTestFile(plainBytes = 1_000_000) {
  const fileKey = createFileKey()
  return { fileKey, keys: await deriveFileKeys(fileKey, createFileHeader({ kind: 'personal', plainBytes })) }
}

const patchEnvelope = (envelope: string, offset: number, replacement: Uint8Array): string => {
  const bytes = fromBase64url(envelope)
  bytes.set(replacement, offset)
  return toBase64url(bytes)
}

test.each(['account', 'share', 'session', 'portal'] as const)(
  'a file key that was wrapped as %s opens as %s',
  async (wrapType) => {
    const { fileKey, keys } = await createTestFile()
    const root = createKey()

    const envelope = await wrapFileKey({ fileKey, keys, root, wrapType })
    const opened = await openEnvelope({ envelope, root, wrapType })

    expect(envelope).toMatch(/^[A-Za-z0-9_-]{200}$/)
    expect(opened.fileKey).toEqual(fileKey)
    expect(opened.keys.header).toEqual(keys.header)
    expect(opened.keys.commit).toEqual(keys.commit)
  },
)

test('the public parts of an envelope are parsed without any key', async () => {
  const { fileKey, keys } = await createTestFile()
  const root = createKey()

  const envelope = parseEnvelope(await wrapFileKey({ fileKey, keys, root, wrapType: 'share' }))

  expect(envelope).toMatchObject({ wrapType: 'share', header: keys.header, commit: keys.commit })
  expect(envelope.keyId).toEqual(await keyIdOf(root, 'share'))
  expect(keyIdText(envelope.keyId)).toMatch(/^kid\.[A-Za-z0-9_-]{22}$/)
})

test('an imported root key works like its bytes', async () => {
  const { fileKey, keys } = await createTestFile()
  const root = createKey()
  const imported = await importRootKey(root)

  const envelope = await wrapFileKey({ fileKey, keys, root: imported, wrapType: 'account' })

  expect((await openEnvelope({ envelope, root, wrapType: 'account' })).fileKey).toEqual(fileKey)
  expect((await openEnvelope({ envelope, root: imported, wrapType: 'account' })).fileKey).toEqual(fileKey)
})

test('another root key is distinguished from a damaged envelope', async () => {
  const { fileKey, keys } = await createTestFile()
  const root = createKey()
  const envelope = await wrapFileKey({ fileKey, keys, root, wrapType: 'account' })

  await expectCryptoError(() => openEnvelope({ envelope, root: createKey(), wrapType: 'account' }), 'wrong-key')
  const lastByte = fromBase64url(envelope)[149] ?? 0
  const changed = patchEnvelope(envelope, 149, Uint8Array.of(lastByte ^ 1))
  await expectCryptoError(() => openEnvelope({ envelope: changed, root, wrapType: 'account' }), 'damaged')
})

test('any changed byte of an envelope is rejected', async () => {
  const { fileKey, keys } = await createTestFile()
  const root = createKey()
  const envelope = await wrapFileKey({ fileKey, keys, root, wrapType: 'account' })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 149 }), fc.integer({ min: 1, max: 255 }), async (offset, by) => {
      const before = fromBase64url(envelope)[offset] ?? 0

      const pending = openEnvelope({
        envelope: patchEnvelope(envelope, offset, Uint8Array.of(before ^ by)),
        root,
        wrapType: 'account',
      })

      await expect(pending).rejects.toMatchObject({ name: 'CryptoError' })
    }),
    { numRuns: 400 },
  )
})

test('T015 the envelope of another file opens no key of this one, and a mix of two opens none', async () => {
  const [one, other] = [await createTestFile(), await createTestFile()]
  const root = createKey()
  const wrapped = await Promise.all([one, other].map((file) => wrapFileKey({ ...file, root, wrapType: 'account' })))
  const [envelope = '', otherEnvelope = ''] = wrapped

  const openedOther = await openEnvelope({ envelope: otherEnvelope, root, wrapType: 'account' })
  const spliced = patchEnvelope(envelope, 90, fromBase64url(otherEnvelope).subarray(90))

  expect(openedOther.keys.header.fileUid).not.toEqual(one.keys.header.fileUid)
  await expectCryptoError(() => openEnvelope({ envelope: spliced, root, wrapType: 'account' }), 'damaged')
})

test('T016 an envelope of one type does not open as another, even with the same root key', async () => {
  const types: readonly WrapType[] = ['account', 'share', 'session', 'portal']
  const { fileKey, keys } = await createTestFile()
  const root = createKey()

  for (const wrapType of types) {
    const envelope = await wrapFileKey({ fileKey, keys, root, wrapType })
    for (const [index, other] of types.entries()) {
      if (other === wrapType) continue
      await expectCryptoError(() => openEnvelope({ envelope, root, wrapType: other }), 'malformed')
      const renamed = patchEnvelope(envelope, 1, Uint8Array.of(index + 1))
      await expectCryptoError(() => openEnvelope({ envelope: renamed, root, wrapType: other }), 'wrong-key')
    }
  }
})

test('T022 a valid wrapping with the commitment of another key is rejected before any content is opened', async () => {
  const { fileKey, keys } = await createTestFile()
  const other = await createTestFile()
  const root = createKey()
  const forgedEnvelope = await wrapWithCommit({ fileKey, keys, root }, other.keys.commit)

  await expectCryptoError(() => openEnvelope({ envelope: forgedEnvelope, root, wrapType: 'account' }), 'damaged')
})

test('T023 a record that verifies under two keys is caught by the commitment', async () => {
  const header = createFileHeader({ kind: 'personal', plainBytes: 32, recordBytes: 32, smallestRecordBytes: 32 })
  const fileKeys = [createFileKey(), createFileKey()] as const
  const [one, other] = [await deriveFileKeys(fileKeys[0], header), await deriveFileKeys(fileKeys[1], header)]
  const contentKeys = await Promise.all(
    fileKeys.map(async (key, index) =>
      deriveBytes({
        from: await importRootKey(key),
        salt: header.fileUid,
        info: concatBytes(utf8(labels.fileContent), ([one, other][index] ?? one).encodedHeader),
      }),
    ),
  )
  const aad = concatBytes(utf8('EF1C'), header.fileUid, new Uint8Array(8), [1, 0, 0, 0])
  const [first = new Uint8Array(0), second = new Uint8Array(0)] = contentKeys
  const record = forgeTwoKeyRecord({ keys: [first, second], iv: new Uint8Array(12).fill(9), aad })
  const root = createKey()
  const forgedEnvelope = await wrapWithCommit({ fileKey: fileKeys[1], keys: other, root }, one.commit)

  const openedTwice = [await openRecord(one, 0, record), await openRecord(other, 0, record)]

  expect(openedTwice[0]).not.toEqual(openedTwice[1])
  expect(one.commit).not.toEqual(other.commit)
  const limits = { smallestRecordBytes: 32 }
  await expectCryptoError(
    () => openEnvelope({ envelope: forgedEnvelope, root, wrapType: 'account', limits }),
    'damaged',
  )
})

test('a file key is not wrapped with the keys of another file', async () => {
  const [one, other] = [await createTestFile(), await createTestFile()]

  const wrap = () => wrapFileKey({ fileKey: one.fileKey, keys: other.keys, root: createKey(), wrapType: 'account' })

  await expectCryptoError(wrap, 'malformed')
})

test('key ids are deterministic and differ by root key and type', async () => {
  const root = createKey()

  const ids = await Promise.all([keyIdOf(root, 'account'), keyIdOf(root, 'share'), keyIdOf(createKey(), 'account')])

  expect(new Set(ids.map(keyIdText)).size).toBe(3)
  expect(await keyIdOf(root, 'account')).toEqual(ids[0])
})

/** Creates an envelope as a dishonest sender could: valid except for the commitment. */
async function wrapWithCommit(
  {
    fileKey,
    keys,
    root,
  }: { fileKey: Uint8Array } & Pick<Parameters<typeof wrapFileKey>[0], 'keys'> & { root: Uint8Array },
  commit: Uint8Array,
): Promise<string> {
  const from = await importRootKey(root)
  const key = await deriveAesKey({ from, salt: keys.header.fileUid, info: utf8(labels.wrapAccount) })
  const publicPart = concatBytes([1], keys.encodedHeader, await keyIdOf(root, 'account'), commit)
  const wrapped = await seal({ key, plain: fileKey, aad: concatBytes(utf8('EF1W'), publicPart) })
  return toBase64url(concatBytes([0xe1], publicPart, wrapped))
}
