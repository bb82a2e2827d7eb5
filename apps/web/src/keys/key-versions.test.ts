import type { Call } from '@sallyport/client/call'
import {
  createAccountKey,
  createRecoveryKey,
  encodeRecoveryKey,
  unwrapFromRecovery,
  wrapAccountKey,
  wrapForRecovery,
} from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { keyWords } from '#/words/keys.ts'
import { openAccountKey, openOrMakeAccountKey } from './account-key.ts'
import { highestKeyVersion, rememberKeyVersion } from './key-versions.ts'
import { makeRecoveryKey } from './recovery-key.ts'
import { startAgainWithoutKey, startAgainWithRecoveryKey } from './start-again.ts'

const userId = '11111111-1111-4111-8111-111111111111'
const otherUserId = '22222222-2222-4222-8222-222222222222'
const accountKey = createAccountKey()

interface Answers {
  readonly slots?: readonly { readonly slot: number; readonly keyVersion: number; readonly wrappedKey: string }[]
  readonly recovery?: { readonly keyVersion: number; readonly wrappedKey: string } | null
}

/** A server that answers these keys, whatever is true, and what it is sent. */
function answerKeys({ slots = [], recovery = null }: Answers) {
  const sent: { path: string; body: Record<string, unknown> }[] = []
  const call = (async ({ path }: { path: string }, { body = {} }: { body?: Record<string, unknown> }) => {
    sent.push({ path, body })
    if (path.endsWith('/prelogin')) return { salt: 'BwcHBwcHBwcHBwcHBwcHBw', profiles: [2] }
    if (path.endsWith('/staged')) return { slot: 2 }
    if (path.endsWith('/commit')) return { lostFiles: 0 }
    return { slots: slots.map((slot) => ({ profile: 2, ...slot })), recovery }
  }) as unknown as Call
  return { call, sent }
}

const aKey = () => crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])

async function aSlot(keyEncryptionKey: CryptoKey, keyVersion: number) {
  return { slot: 1, keyVersion, wrappedKey: await wrapAccountKey({ accountKey, keyEncryptionKey, userId, keyVersion }) }
}

function recoveryDeps(answers: Answers) {
  const { call, sent } = answerKeys(answers)
  const storage = createMemoryStorage()
  const changed: string[] = []
  const deps = {
    call,
    storage,
    deriveSecrets: async () => ({ credential: `Zk2.${'A'.repeat(43)}`, wrapSecret: new Uint8Array(32).fill(1) }),
    deriveMasterKey: async () => new Uint8Array(32).fill(2),
    changeCredential: async (credential: string) => void changed.push(credential),
  }
  return { deps, storage, sent, changed }
}
const forgotten = { userId, holder: { email: 'ann@example.org' }, password: 'another one' }

test('an account key of a lower version than this device has opened is refused', async () => {
  const keyEncryptionKey = await aKey()
  const storage = createMemoryStorage()
  const open = async (keyVersion: number) => {
    const { call } = answerKeys({ slots: [await aSlot(keyEncryptionKey, keyVersion)] })
    return openAccountKey({ call, userId, keyEncryptionKey, storage })
  }

  await open(2)
  await open(3)

  await expect(open(2)).rejects.toThrow(keyWords.earlierKey)
  expect((await open(3)).keyVersion).toBe(3)
  expect([highestKeyVersion(userId, storage), highestKeyVersion(otherUserId, storage)]).toEqual([3, 0])
})

test('a key version that only the server names is not remembered', async () => {
  const [keyEncryptionKey, storage] = [await aKey(), createMemoryStorage()]
  const lie = { ...(await aSlot(keyEncryptionKey, 1)), keyVersion: 9 }
  const { call } = answerKeys({ slots: [lie] })

  await expect(openAccountKey({ call, userId, keyEncryptionKey, storage })).rejects.toMatchObject({ code: 'wrong-key' })
  expect(highestKeyVersion(userId, storage)).toBe(0)
})

test('no second account key is made on a device that has opened one', async () => {
  const { call, sent } = answerKeys({ slots: [] })
  const storage = createMemoryStorage()
  rememberKeyVersion(userId, 1, storage)
  const making = { call, userId, keyEncryptionKey: await aKey(), profile: 2, storage }

  await expect(openOrMakeAccountKey(making)).rejects.toThrow(keyWords.earlierKey)
  expect(sent.map(({ path }) => path)).toEqual(['/api/account/keys'])
})

test('a recovery key opens its account key at the version that it was wrapped for', async () => {
  const recoveryKey = createRecoveryKey()
  const wrappedKey = await wrapForRecovery({ recoveryKey, userId, keyVersion: 1, accountKey })
  const typed = await encodeRecoveryKey(recoveryKey)
  const start = async (keyVersion: number) => {
    const parts = recoveryDeps({ recovery: { keyVersion, wrappedKey } })
    return { ...parts, started: startAgainWithRecoveryKey(parts.deps, { ...forgotten, recoveryKey: typed }) }
  }

  const { started, storage } = await start(1)
  await started
  const raised = await start(2)

  await expect(raised.started).rejects.toThrow(keyWords.recoveryWrong)
  expect(raised.changed).toEqual([])
  expect(highestKeyVersion(userId, storage)).toBe(1)
})

test('a recovery that leads back to an earlier account key is refused before the password changes', async () => {
  const recoveryKey = createRecoveryKey()
  const wrappedKey = await wrapForRecovery({ recoveryKey, userId, keyVersion: 1, accountKey })
  const recovery = { keyVersion: 1, wrappedKey }
  const withKey = { ...forgotten, recoveryKey: await encodeRecoveryKey(recoveryKey) }
  const slot = { slot: 1, keyVersion: 2, wrappedKey: 'A'.repeat(80) }
  const known = recoveryDeps({ recovery })
  rememberKeyVersion(userId, 2, known.storage)
  const contradicted = recoveryDeps({ recovery, slots: [slot] })
  const withoutKey = recoveryDeps({ slots: [slot] })
  rememberKeyVersion(userId, 3, withoutKey.storage)

  await expect(startAgainWithRecoveryKey(known.deps, withKey)).rejects.toThrow(keyWords.earlierKey)
  await expect(startAgainWithRecoveryKey(contradicted.deps, withKey)).rejects.toThrow(keyWords.earlierKey)
  await expect(startAgainWithoutKey(withoutKey.deps, forgotten)).rejects.toThrow(keyWords.earlierKey)
  expect([known, contradicted, withoutKey].flatMap(({ changed }) => changed)).toEqual([])
})

test('a recovery key that was wrapped without its version is wrapped again with it when it is used', async () => {
  const recoveryKey = Uint8Array.from({ length: 32 }, (_, index) => 0x91 + index)
  const earlier = await wrapAsVersion1(recoveryKey)
  const { deps, sent } = recoveryDeps({ recovery: { keyVersion: 4, wrappedKey: earlier } })

  await startAgainWithRecoveryKey(deps, { ...forgotten, recoveryKey: await encodeRecoveryKey(recoveryKey) })

  const saved = sent.find(({ path }) => path === '/api/account/recovery-key')
  const wrappedKey = String(saved?.body['wrappedKey'])
  expect(saved?.body['keyVersion']).toBe(4)
  expect(await unwrapFromRecovery({ recoveryKey, userId, keyVersion: 4, wrappedKey })).toEqual({
    accountKey,
    isBound: true,
  })
})

test('a recovery key is not made for a lower version than this device has opened', async () => {
  const { call, sent } = answerKeys({ slots: [{ slot: 1, keyVersion: 1, wrappedKey: 'A'.repeat(80) }] })
  const storage = createMemoryStorage()
  rememberKeyVersion(userId, 2, storage)
  const made = await makeRecoveryKey(
    { call, storage },
    { userId, masterKey: '', accountKey: `${'AQEB'.repeat(10)}AQE` },
  )

  await expect(made.takeIntoUse()).rejects.toThrow(keyWords.earlierKey)
  expect(sent.map(({ path }) => path)).toEqual(['/api/account/keys'])
})

/** As recovery keys wrapped the account key before the version was bound. */
async function wrapAsVersion1(recoveryKey: Uint8Array<ArrayBuffer>): Promise<string> {
  const utf8 = (text: string) => new TextEncoder().encode(text)
  const from = await crypto.subtle.importKey('raw', recoveryKey, 'HKDF', false, ['deriveKey'])
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: utf8(userId), info: utf8('zk1.recovery') }
  const key = await crypto.subtle.deriveKey(derivation, from, { name: 'AES-GCM', length: 256 }, false, ['encrypt'])
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, accountKey))
  return new Uint8Array([...iv, ...sealed]).toBase64({ alphabet: 'base64url', omitPadding: true })
}

test.each([3, 99])(
  'a recovery key is not wrapped for version %i, which only the server names, on a device that has opened version 2',
  async (keyVersion) => {
    const { call, sent } = answerKeys({ slots: [{ slot: 1, keyVersion, wrappedKey: 'A'.repeat(80) }] })
    const storage = createMemoryStorage()
    rememberKeyVersion(userId, 2, storage)
    const keys = { userId, masterKey: '', accountKey: `${'AQEB'.repeat(10)}AQE` }

    const { takeIntoUse } = await makeRecoveryKey({ call, storage }, keys)

    await expect(takeIntoUse()).rejects.toThrow(keyWords.otherKey)
    expect(sent.map(({ path }) => path)).toEqual(['/api/account/keys'])
  },
)
