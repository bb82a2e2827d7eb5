import { randomBytes } from 'node:crypto'
import {
  createAccountKey,
  deriveKeyEncryptionKey,
  deriveLoginSecrets,
  deriveMasterKey,
  fromBase64url,
  unwrapAccountKey,
  wrapAccountKey,
} from '@sallyport/crypto'
import { expect } from 'vitest'
import { onBothDatabases } from '../../../testing/engines/databases.ts'
import { type AccountServer, randomEmail, startAccountServer } from '../../../testing/servers/account-server.ts'

const randomKey = () => ({ keyVersion: 1, profile: 2, wrappedKey: randomBytes(60).toString('base64url') })
const noKeys = { success: true, slots: [], recovery: null }
const ifNoneMatch = { 'if-none-match': '*' }

onBothDatabases('the first wrapped key of an account is stored and only its owner can read it', async (stage) => {
  const server = await startAccountServer(stage)
  const mine = await server.createMember()
  const theirs = await server.createMember()
  const key = randomKey()
  const before = await server.get('/api/account/keys', mine.bearer)

  const created = await server.put('/api/account/keys', key, { ...mine.bearer, ...ifNoneMatch })

  expect(before.json()).toEqual(noKeys)
  expect(created.json()).toEqual({ success: true })
  const found = await server.get('/api/account/keys', mine.bearer)
  expect(found.json()).toEqual({ success: true, slots: [{ slot: 1, ...key }], recovery: null })
  expect((await server.get('/api/account/keys', theirs.bearer)).json()).toEqual(noKeys)
})

onBothDatabases('creating keys requires If-None-Match and never replaces an existing key', async (stage) => {
  const server = await startAccountServer(stage)
  const { bearer } = await server.createMember()
  const first = randomKey()
  await server.put('/api/account/keys', first, { ...bearer, ...ifNoneMatch })

  const again = await server.put('/api/account/keys', randomKey(), { ...bearer, ...ifNoneMatch })
  const unconditional = await server.put('/api/account/keys', randomKey(), bearer)
  const otherCondition = await server.put('/api/account/keys', randomKey(), { ...bearer, 'if-none-match': '"1"' })

  expect([again.statusCode, again.json().code]).toEqual([412, 'KEYS_EXIST'])
  for (const refused of [unconditional, otherCondition]) {
    expect([refused.statusCode, refused.json().code]).toEqual([428, 'PRECONDITION_REQUIRED'])
  }
  expect((await server.get('/api/account/keys', bearer)).json().slots).toEqual([{ slot: 1, ...first }])
})

onBothDatabases('of 6 concurrent requests that create the first key exactly 1 succeeds', async (stage) => {
  const server = await startAccountServer(stage)
  const { bearer } = await server.createMember()
  const keys = Array.from({ length: 6 }, randomKey)

  const answers = await Promise.all(
    keys.map((key) => server.put('/api/account/keys', key, { ...bearer, ...ifNoneMatch })),
  )

  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412, 412, 412, 412, 412])
  const winner = answers.findIndex(({ statusCode }) => statusCode === 200)
  const { slots } = (await server.get('/api/account/keys', bearer)).json()
  expect(slots).toEqual([{ slot: 1, ...keys[winner] }])
})

onBothDatabases('creating keys answers 412 even if the existing key is in the second slot', async (stage) => {
  const server = await startAccountServer(stage)
  const { bearer } = await server.createMember()
  await server.put('/api/account/keys', randomKey(), { ...bearer, ...ifNoneMatch })
  await stage.db.updateTable('account_keys').set({ slot: 2 }).execute()

  const refused = await server.put('/api/account/keys', randomKey(), { ...bearer, ...ifNoneMatch })

  expect(refused.statusCode).toBe(412)
})

onBothDatabases('creating keys rejects a wrapped key that is not 60 bytes long', async (stage) => {
  const server = await startAccountServer(stage)
  const { bearer } = await server.createMember()
  const wrappedKeys = [randomBytes(59), randomBytes(61), Buffer.alloc(0)].map((bytes) => bytes.toString('base64url'))

  for (const change of [...wrappedKeys.map((wrappedKey) => ({ wrappedKey })), { keyVersion: 2 }, { profile: 0 }]) {
    const refused = await server.put('/api/account/keys', { ...randomKey(), ...change }, { ...bearer, ...ifNoneMatch })
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'BAD_REQUEST'])
  }
})

async function deriveSecrets(server: AccountServer, email: string, password: string) {
  const { salt, profiles } = (await server.post('/api/auth/prelogin', { email })).json()
  return deriveLoginSecrets({ password, salt: fromBase64url(salt), profile: profiles[0] })
}

onBothDatabases(
  'ACC-19 T056 a 128-character Unicode password signs in and unwraps its key; its first 64 characters do not',
  async (stage) => {
    const server = await startAccountServer(stage)
    const email = randomEmail()
    const password = 'Пароль-🔑-ﬁn-'.repeat(10).slice(0, 128)
    const registered = await deriveSecrets(server, email, password)
    await server.post('/api/register', { email, password: registered.credential })

    const { credential, wrapSecret } = await deriveSecrets(server, email, password)
    const shortened = await deriveSecrets(server, email, password.slice(0, 64))
    const signedIn = await server.post('/api/login', { email, password: credential })
    const refused = await server.post('/api/login', { email, password: shortened.credential })

    expect(signedIn.statusCode).toBe(200)
    expect(refused.statusCode).toBe(401)
    const userId = signedIn.json().user.id
    const bearer = { authorization: `Bearer ${signedIn.json().session.access_token}` }
    const deriveWrappingKey = async (secret: typeof wrapSecret) =>
      deriveKeyEncryptionKey({ masterKey: await deriveMasterKey(password, userId), wrapSecret: secret, userId })
    const accountKey = createAccountKey()
    const wrappedKey = await wrapAccountKey({
      accountKey,
      keyEncryptionKey: await deriveWrappingKey(wrapSecret),
      userId,
      keyVersion: 1,
    })
    await server.put('/api/account/keys', { keyVersion: 1, profile: 2, wrappedKey }, { ...bearer, ...ifNoneMatch })
    const [slot] = (await server.get('/api/account/keys', bearer)).json().slots
    const opened = await unwrapAccountKey({
      ...slot,
      keyEncryptionKey: await deriveWrappingKey(registered.wrapSecret),
      userId,
    })
    expect(opened).toEqual(accountKey)
    const wrongKey = await deriveWrappingKey(shortened.wrapSecret)
    await expect(unwrapAccountKey({ ...slot, keyEncryptionKey: wrongKey, userId })).rejects.toThrow()
  },
)
