import { expect, test } from 'vitest'
import { deriveAesKey } from './hkdf.ts'
import * as entry from './index.ts'
import { openRecord, sealRecord } from './record.ts'
import { createKey } from './secret.ts'
import { vectorCases } from './testing/case-checks.ts'
import { expectCryptoError } from './testing/check.ts'
import { performers } from './testing/perform.ts'

const userId = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f'
const header = entry.createFileHeader({ kind: 'personal', plainBytes: 10 })

const invalidSecrets: readonly (readonly [string, Uint8Array])[] = [
  ['no key', undefined as unknown as Uint8Array],
  ['a text', 'a key that is a text of 32 bytes' as unknown as Uint8Array],
  ['an empty key', new Uint8Array(0)],
  ['a key of zeros', new Uint8Array(32)],
  ['a key of 31 bytes', new Uint8Array(31).fill(1)],
  ['a key of 33 bytes', new Uint8Array(33).fill(1)],
]

test.each(invalidSecrets)('T024 %s is rejected by every function that seals or wraps', async (_what, invalid) => {
  const fileKey = createKey()
  const keys = await entry.deriveFileKeys(fileKey, header)
  const keyEncryptionKey = await entry.deriveKeyEncryptionKey({
    masterKey: createKey(),
    wrapSecret: createKey(),
    userId,
  })
  const deviceKey = await entry.createDeviceKey()
  const unlock = { deviceKey, share: createKey(), deviceId: 'device', masterKey: createKey(), accountKey: createKey() }
  const session = { mode: 'pin2', pin: '123456', sessionId: 'session' } as const
  const message = { kind: 'personal', contextId: userId, text: 'hello', sentAt: 0 } as const

  const senderContext = { sessionId: userId, senderId: entry.createSenderId(), senderName: 'Mara', sentAt: 0 } as const

  const attempts: readonly (() => unknown)[] = [
    () => entry.deriveFileKeys(invalid, header),
    () => entry.wrapFileKey({ fileKey: invalid, keys, root: createKey(), wrapType: 'account' }),
    () => entry.wrapFileKey({ fileKey, keys, root: invalid, wrapType: 'account' }),
    () => entry.keyIdOf(invalid, 'account'),
    () => entry.deriveShareKey(invalid, header.fileUid),
    () => entry.encodeShareFragment(invalid),
    () => entry.shareProof(invalid),
    () => entry.sealMessage({ ...message, root: invalid }),
    () => entry.sealSessionMessage({ ...senderContext, text: 'hello', root: invalid }),
    () => entry.sealSessionName({ ...senderContext, participantId: userId, root: invalid }),
    () => entry.wrapAccountKey({ keyEncryptionKey, accountKey: invalid, userId, keyVersion: 1 }),
    () => entry.deriveKeyEncryptionKey({ masterKey: invalid, wrapSecret: createKey(), userId }),
    () => entry.deriveKeyEncryptionKey({ masterKey: createKey(), wrapSecret: invalid, userId }),
    () => entry.encodeRecoveryKey(invalid),
    () => entry.wrapForRecovery({ recoveryKey: invalid, accountKey: createKey(), userId, keyVersion: 1 }),
    () => entry.wrapForRecovery({ recoveryKey: createKey(), accountKey: invalid, userId, keyVersion: 1 }),
    () => entry.sealDeviceUnlock({ ...unlock, share: invalid }),
    () => entry.sealDeviceUnlock({ ...unlock, masterKey: invalid }),
    () => entry.sealDeviceUnlock({ ...unlock, accountKey: invalid }),
    () => entry.deriveSessionKey({ ...session, share: invalid }),
    () => entry.deriveLoginSecrets({ password: 'x', salt: invalid, profile: 1 }),
    () => entry.importRootKey(invalid),
  ]

  for (const attempt of attempts) await expectCryptoError(attempt, 'malformed')
})

test('T024 derivations reject a missing password or user id', async () => {
  const missing = undefined as unknown as string

  await expectCryptoError(() => entry.deriveMasterKey(missing, userId), 'malformed')
  await expectCryptoError(() => entry.deriveMasterKey('x', missing), 'malformed')
  await expectCryptoError(() => entry.deriveMasterKey('', userId), 'malformed')
})

test('T034 no key can be exported from its handle', async () => {
  const { content, meta } = await entry.deriveFileKeys(createKey(), header)
  const root = await entry.importRootKey(createKey())
  const handles = [
    content,
    meta,
    root,
    await entry.deriveKeyEncryptionKey({ masterKey: createKey(), wrapSecret: createKey(), userId }),
    await entry.createDeviceKey(),
    await deriveAesKey({ from: root, salt: new Uint8Array(0), info: new Uint8Array(0) }),
  ]

  for (const handle of handles) {
    expect(handle.extractable).toBe(false)
    await expect(crypto.subtle.exportKey('raw', handle)).rejects.toThrow()
  }
})

test('T034 a non-extractable account key handle is sufficient for a whole account', async () => {
  const accountKey = await entry.importRootKey(createKey())
  const fileKey = entry.createFileKey()
  const keys = await entry.deriveFileKeys(fileKey, header)
  const envelope = await entry.wrapFileKey({ fileKey, keys, root: accountKey, wrapType: 'account' })
  const context = { root: accountKey, kind: 'personal', contextId: userId } as const

  const opened = await entry.openEnvelope({ envelope, root: accountKey, wrapType: 'account' })
  const sealed = await sealRecord(keys, 0, new Uint8Array(10).fill(5))
  const message = await entry.sealMessage({ ...context, text: 'hello', sentAt: 1 })

  expect(await openRecord(opened.keys, 0, sealed)).toEqual(new Uint8Array(10).fill(5))
  expect((await entry.openMessage({ ...context, ...message })).text).toBe('hello')
  expect(await entry.deriveShareKey(accountKey, header.fileUid)).toHaveLength(32)
})

test('T035 no error message or stack contains any input', async () => {
  const failing = vectorCases.filter(({ expect: outcome }) => outcome !== 'ok')
  for (const { operation, input } of failing) {
    const perform = performers[operation] as (given: unknown) => unknown
    const error = await Promise.resolve()
      .then(() => perform(input))
      .then(
        () => null,
        (reason: unknown) => reason as Error,
      )
    const secrets = Object.values(input)
      .flat()
      .map(String)
      .filter((text) => text.length >= 8)

    expect(error).toBeInstanceOf(Error)
    for (const secret of secrets) expect(`${error?.message} ${error?.stack}`).not.toContain(secret)
  }
  expect(failing.length).toBeGreaterThan(10)
})
