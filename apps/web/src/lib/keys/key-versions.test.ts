import type { Call } from '@sallyport/client/call'
import { systemClock } from '@sallyport/client/clock'
import {
  createAccountKey,
  createRecoveryKey,
  encodeRecoveryKey,
  unwrapFromRecovery,
  wrapAccountKey,
  wrapForRecovery,
} from '@sallyport/crypto'
import { expect, test } from 'vitest'
import { keyStrings } from '#/strings/account/keys.ts'
import { createMemoryStorage } from '#/testing/memory-storage.ts'
import { openAccountKey, openOrCreateAccountKey } from './account-key.ts'
import { highestKeyVersion, storeKeyVersion } from './key-versions.ts'
import { recoverWithoutKey, recoverWithRecoveryKey } from './recover-account.ts'
import { createAccountRecoveryKey } from './recovery-key.ts'

const userId = '11111111-1111-4111-8111-111111111111'
const otherUserId = '22222222-2222-4222-8222-222222222222'
const accountKey = createAccountKey()

interface KeyResponses {
  readonly slots?: readonly { readonly slot: number; readonly keyVersion: number; readonly wrappedKey: string }[]
  readonly recovery?: { readonly keyVersion: number; readonly wrappedKey: string } | null
}

/** A server that returns the given keys, true or not, and records what it receives. */
function startKeyServer({ slots = [], recovery = null }: KeyResponses) {
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

const createWrappingKey = () =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])

async function createSlot(keyEncryptionKey: CryptoKey, keyVersion: number) {
  return { slot: 1, keyVersion, wrappedKey: await wrapAccountKey({ accountKey, keyEncryptionKey, userId, keyVersion }) }
}

function createRecoveryDeps(responses: KeyResponses) {
  const { call, sent } = startKeyServer(responses)
  const storage = createMemoryStorage()
  const changed: string[] = []
  const deps = {
    call,
    storage,
    clock: systemClock,
    deriveSecrets: async () => ({ credential: `Zk2.${'A'.repeat(43)}`, wrapSecret: new Uint8Array(32).fill(1) }),
    deriveMasterKey: async () => new Uint8Array(32).fill(2),
    changeCredential: async (credential: string) => void changed.push(credential),
  }
  return { deps, storage, sent, changed }
}
const recoverInput = { userId, identifier: { email: 'ann@example.org' }, password: 'another one' }

test('an account key with a lower version than this device has opened is rejected', async () => {
  const keyEncryptionKey = await createWrappingKey()
  const storage = createMemoryStorage()
  const open = async (keyVersion: number) => {
    const { call } = startKeyServer({ slots: [await createSlot(keyEncryptionKey, keyVersion)] })
    return openAccountKey({ call, userId, keyEncryptionKey, storage })
  }

  await open(2)
  await open(3)

  await expect(open(2)).rejects.toThrow(keyStrings.olderKey)
  expect((await open(3)).keyVersion).toBe(3)
  expect([highestKeyVersion(userId, storage), highestKeyVersion(otherUserId, storage)]).toEqual([3, 0])
})

test('a key version that only the server claims is not stored', async () => {
  const [keyEncryptionKey, storage] = [await createWrappingKey(), createMemoryStorage()]
  const forgedSlot = { ...(await createSlot(keyEncryptionKey, 1)), keyVersion: 9 }
  const { call } = startKeyServer({ slots: [forgedSlot] })

  await expect(openAccountKey({ call, userId, keyEncryptionKey, storage })).rejects.toMatchObject({ code: 'wrong-key' })
  expect(highestKeyVersion(userId, storage)).toBe(0)
})

test('no second account key is created on a device that has opened one', async () => {
  const { call, sent } = startKeyServer({ slots: [] })
  const storage = createMemoryStorage()
  storeKeyVersion(userId, 1, storage)
  const input = { call, userId, keyEncryptionKey: await createWrappingKey(), profile: 2, storage }

  await expect(openOrCreateAccountKey(input)).rejects.toThrow(keyStrings.olderKey)
  expect(sent.map(({ path }) => path)).toEqual(['/api/account/keys'])
})

test('a recovery key unwraps its account key only at the version that it was wrapped for', async () => {
  const recoveryKey = createRecoveryKey()
  const wrappedKey = await wrapForRecovery({ recoveryKey, userId, keyVersion: 1, accountKey })
  const typed = await encodeRecoveryKey(recoveryKey)
  const start = async (keyVersion: number) => {
    const setup = createRecoveryDeps({ recovery: { keyVersion, wrappedKey } })
    return { ...setup, result: recoverWithRecoveryKey(setup.deps, { ...recoverInput, recoveryKey: typed }) }
  }

  const { result, storage } = await start(1)
  await result
  const withRaisedVersion = await start(2)

  await expect(withRaisedVersion.result).rejects.toThrow(keyStrings.recoveryWrong)
  expect(withRaisedVersion.changed).toEqual([])
  expect(highestKeyVersion(userId, storage)).toBe(1)
})

test('a recovery that would restore an earlier account key is rejected before the password changes', async () => {
  const recoveryKey = createRecoveryKey()
  const wrappedKey = await wrapForRecovery({ recoveryKey, userId, keyVersion: 1, accountKey })
  const recovery = { keyVersion: 1, wrappedKey }
  const withKey = { ...recoverInput, recoveryKey: await encodeRecoveryKey(recoveryKey) }
  const slot = { slot: 1, keyVersion: 2, wrappedKey: 'A'.repeat(80) }
  const onKnownDevice = createRecoveryDeps({ recovery })
  storeKeyVersion(userId, 2, onKnownDevice.storage)
  const withNewerSlot = createRecoveryDeps({ recovery, slots: [slot] })
  const withoutKey = createRecoveryDeps({ slots: [slot] })
  storeKeyVersion(userId, 3, withoutKey.storage)

  await expect(recoverWithRecoveryKey(onKnownDevice.deps, withKey)).rejects.toThrow(keyStrings.olderKey)
  await expect(recoverWithRecoveryKey(withNewerSlot.deps, withKey)).rejects.toThrow(keyStrings.olderKey)
  await expect(recoverWithoutKey(withoutKey.deps, recoverInput)).rejects.toThrow(keyStrings.olderKey)
  expect([onKnownDevice, withNewerSlot, withoutKey].flatMap(({ changed }) => changed)).toEqual([])
})

test('an account key that was wrapped without its version is wrapped again with it when the recovery key is used', async () => {
  const recoveryKey = Uint8Array.from({ length: 32 }, (_, index) => 0x91 + index)
  const earlier = await wrapAsVersion1(recoveryKey)
  const { deps, sent } = createRecoveryDeps({ recovery: { keyVersion: 4, wrappedKey: earlier } })

  await recoverWithRecoveryKey(deps, { ...recoverInput, recoveryKey: await encodeRecoveryKey(recoveryKey) })

  const saved = sent.find(({ path }) => path === '/api/account/recovery-key')
  const wrappedKey = String(saved?.body['wrappedKey'])
  expect(saved?.body['keyVersion']).toBe(4)
  expect(await unwrapFromRecovery({ recoveryKey, userId, keyVersion: 4, wrappedKey })).toEqual({
    accountKey,
    isBound: true,
  })
})

test('a recovery key is not created for a lower version than this device has opened', async () => {
  const { call, sent } = startKeyServer({ slots: [{ slot: 1, keyVersion: 1, wrappedKey: 'A'.repeat(80) }] })
  const storage = createMemoryStorage()
  storeKeyVersion(userId, 2, storage)
  const created = await createAccountRecoveryKey(
    { call, storage },
    { userId, masterKey: '', accountKey: `${'AQEB'.repeat(10)}AQE` },
  )

  await expect(created.activate()).rejects.toThrow(keyStrings.olderKey)
  expect(sent.map(({ path }) => path)).toEqual(['/api/account/keys'])
})

/** Wraps the account key as before the version was bound. */
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
  'a recovery key is not wrapped for version %i, which only the server claims, on a device that has opened version 2',
  async (keyVersion) => {
    const { call, sent } = startKeyServer({ slots: [{ slot: 1, keyVersion, wrappedKey: 'A'.repeat(80) }] })
    const storage = createMemoryStorage()
    storeKeyVersion(userId, 2, storage)
    const keys = { userId, masterKey: '', accountKey: `${'AQEB'.repeat(10)}AQE` }

    const { activate } = await createAccountRecoveryKey({ call, storage }, keys)

    await expect(activate()).rejects.toThrow(keyStrings.differentKey)
    expect(sent.map(({ path }) => path)).toEqual(['/api/account/keys'])
  },
)
