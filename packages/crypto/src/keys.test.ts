import { expect, test } from 'vitest'
import { deriveAesKey } from './hkdf.ts'
import * as entry from './index.ts'
import { openRecord, sealRecord } from './record.ts'
import { createKey } from './secret.ts'
import { vectorCases } from './testing/case-checks.ts'
import { expectRefusal } from './testing/check.ts'
import { performers } from './testing/perform.ts'

const userId = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f'
const header = entry.createFileHeader({ kind: 'personal', plainBytes: 10 })

const uselessSecrets: readonly (readonly [string, Uint8Array])[] = [
  ['no key', undefined as unknown as Uint8Array],
  ['a text', 'a key that is a text of 32 bytes' as unknown as Uint8Array],
  ['an empty key', new Uint8Array(0)],
  ['a key of zeros', new Uint8Array(32)],
  ['a key of 31 bytes', new Uint8Array(31).fill(1)],
  ['a key of 33 bytes', new Uint8Array(33).fill(1)],
]

test.each(uselessSecrets)('T024 with %s nothing is sealed or wrapped', async (_what, useless) => {
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

  const own = { sessionId: userId, senderId: entry.createSenderId(), senderName: 'Mara', sentAt: 0 } as const

  const attempts: readonly (() => unknown)[] = [
    () => entry.deriveFileKeys(useless, header),
    () => entry.wrapFileKey({ fileKey: useless, keys, root: createKey(), wrapType: 'account' }),
    () => entry.wrapFileKey({ fileKey, keys, root: useless, wrapType: 'account' }),
    () => entry.keyIdOf(useless, 'account'),
    () => entry.deriveShareKey(useless, header.fileUid),
    () => entry.encodeShareFragment(useless),
    () => entry.shareProof(useless),
    () => entry.sealMessage({ ...message, root: useless }),
    () => entry.sealSessionMessage({ ...own, text: 'hello', root: useless }),
    () => entry.sealSessionName({ ...own, participantId: userId, root: useless }),
    () => entry.wrapAccountKey({ keyEncryptionKey, accountKey: useless, userId, keyVersion: 1 }),
    () => entry.deriveKeyEncryptionKey({ masterKey: useless, wrapSecret: createKey(), userId }),
    () => entry.deriveKeyEncryptionKey({ masterKey: createKey(), wrapSecret: useless, userId }),
    () => entry.encodeRecoveryKey(useless),
    () => entry.wrapForRecovery({ recoveryKey: useless, accountKey: createKey(), userId, keyVersion: 1 }),
    () => entry.wrapForRecovery({ recoveryKey: createKey(), accountKey: useless, userId, keyVersion: 1 }),
    () => entry.sealDeviceUnlock({ ...unlock, share: useless }),
    () => entry.sealDeviceUnlock({ ...unlock, masterKey: useless }),
    () => entry.sealDeviceUnlock({ ...unlock, accountKey: useless }),
    () => entry.deriveSessionKey({ ...session, share: useless }),
    () => entry.deriveLoginSecrets({ password: 'x', salt: useless, profile: 1 }),
    () => entry.importRoot(useless),
  ]

  for (const attempt of attempts) await expectRefusal(attempt, 'malformed')
})

test('T024 without a password or a user id nothing is derived', async () => {
  const nothing = undefined as unknown as string

  await expectRefusal(() => entry.deriveMasterKey(nothing, userId), 'malformed')
  await expectRefusal(() => entry.deriveMasterKey('x', nothing), 'malformed')
  await expectRefusal(() => entry.deriveMasterKey('', userId), 'malformed')
})

test('T034 no key can be taken out of its handle', async () => {
  const { content, meta } = await entry.deriveFileKeys(createKey(), header)
  const root = await entry.importRoot(createKey())
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

test('T034 an account key handle opens a whole account without its bytes being at hand', async () => {
  const accountKey = await entry.importRoot(createKey())
  const fileKey = entry.createFileKey()
  const keys = await entry.deriveFileKeys(fileKey, header)
  const envelope = await entry.wrapFileKey({ fileKey, keys, root: accountKey, wrapType: 'account' })
  const place = { root: accountKey, kind: 'personal', contextId: userId } as const

  const opened = await entry.openEnvelope({ envelope, root: accountKey, wrapType: 'account' })
  const sealed = await sealRecord(keys, 0, new Uint8Array(10).fill(5))
  const message = await entry.sealMessage({ ...place, text: 'hello', sentAt: 1 })

  expect(await openRecord(opened.keys, 0, sealed)).toEqual(new Uint8Array(10).fill(5))
  expect((await entry.openMessage({ ...place, ...message })).text).toBe('hello')
  expect(await entry.deriveShareKey(accountKey, header.fileUid)).toHaveLength(32)
})

test('T035 no refusal tells anything of what it refused', async () => {
  const refused = vectorCases.filter(({ expect: outcome }) => outcome !== 'ok')
  for (const { operation, input } of refused) {
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
  expect(refused.length).toBeGreaterThan(10)
})
