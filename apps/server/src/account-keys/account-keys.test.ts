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
import { type AccountServer, anEmail, startAccounts } from '../testing/account-server.ts'
import { onBothDatabases } from '../testing/databases.ts'

const aKey = () => ({ keyVersion: 1, profile: 2, wrappedKey: randomBytes(60).toString('base64url') })
const noKeys = { success: true, slots: [], recovery: null }
const ifNone = { 'if-none-match': '*' }

onBothDatabases('an account keeps its first wrapped key and gives it back to nobody else', async (stage) => {
  const server = await startAccounts(stage)
  const mine = await server.aMember()
  const theirs = await server.aMember()
  const key = aKey()
  const before = await server.get('/api/account/keys', mine.bearer)

  const created = await server.put('/api/account/keys', key, { ...mine.bearer, ...ifNone })

  expect(before.json()).toEqual(noKeys)
  expect(created.json()).toEqual({ success: true })
  const found = await server.get('/api/account/keys', mine.bearer)
  expect(found.json()).toEqual({ success: true, slots: [{ slot: 1, ...key }], recovery: null })
  expect((await server.get('/api/account/keys', theirs.bearer)).json()).toEqual(noKeys)
})

onBothDatabases('a key that is there is never replaced by accident', async (stage) => {
  const server = await startAccounts(stage)
  const { bearer } = await server.aMember()
  const first = aKey()
  await server.put('/api/account/keys', first, { ...bearer, ...ifNone })

  const again = await server.put('/api/account/keys', aKey(), { ...bearer, ...ifNone })
  const unconditional = await server.put('/api/account/keys', aKey(), bearer)
  const otherCondition = await server.put('/api/account/keys', aKey(), { ...bearer, 'if-none-match': '"1"' })

  expect([again.statusCode, again.json().code]).toEqual([412, 'KEYS_EXIST'])
  for (const refused of [unconditional, otherCondition]) {
    expect([refused.statusCode, refused.json().code]).toEqual([428, 'PRECONDITION_REQUIRED'])
  }
  expect((await server.get('/api/account/keys', bearer)).json().slots).toEqual([{ slot: 1, ...first }])
})

onBothDatabases('of two devices that make the first key at once, exactly one succeeds', async (stage) => {
  const server = await startAccounts(stage)
  const { bearer } = await server.aMember()
  const keys = Array.from({ length: 6 }, aKey)

  const answers = await Promise.all(keys.map((key) => server.put('/api/account/keys', key, { ...bearer, ...ifNone })))

  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412, 412, 412, 412, 412])
  const winner = answers.findIndex(({ statusCode }) => statusCode === 200)
  const { slots } = (await server.get('/api/account/keys', bearer)).json()
  expect(slots).toEqual([{ slot: 1, ...keys[winner] }])
})

onBothDatabases('a key that moved to the second slot still keeps a first one from being made', async (stage) => {
  const server = await startAccounts(stage)
  const { bearer } = await server.aMember()
  await server.put('/api/account/keys', aKey(), { ...bearer, ...ifNone })
  await stage.db.updateTable('account_keys').set({ slot: 2 }).execute()

  const refused = await server.put('/api/account/keys', aKey(), { ...bearer, ...ifNone })

  expect(refused.statusCode).toBe(412)
})

onBothDatabases('a key that does not have its 60 bytes is refused', async (stage) => {
  const server = await startAccounts(stage)
  const { bearer } = await server.aMember()
  const wrappedKeys = [randomBytes(59), randomBytes(61), Buffer.alloc(0)].map((bytes) => bytes.toString('base64url'))

  for (const change of [...wrappedKeys.map((wrappedKey) => ({ wrappedKey })), { keyVersion: 2 }, { profile: 0 }]) {
    const refused = await server.put('/api/account/keys', { ...aKey(), ...change }, { ...bearer, ...ifNone })
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'BAD_REQUEST'])
  }
})

async function secretsOf(server: AccountServer, email: string, password: string) {
  const { salt, profiles } = (await server.post('/api/auth/prelogin', { email })).json()
  return deriveLoginSecrets({ password, salt: fromBase64url(salt), profile: profiles[0] })
}

onBothDatabases(
  'ACC-19 T056 a long password in any script signs in and opens its key, and a part of it does not',
  async (stage) => {
    const server = await startAccounts(stage)
    const email = anEmail()
    const password = 'Пароль-🔑-ﬁn-'.repeat(10).slice(0, 128)
    const registered = await secretsOf(server, email, password)
    await server.post('/api/register', { email, password: registered.credential })

    const { credential, wrapSecret } = await secretsOf(server, email, password)
    const shortened = await secretsOf(server, email, password.slice(0, 64))
    const signedIn = await server.post('/api/login', { email, password: credential })
    const refused = await server.post('/api/login', { email, password: shortened.credential })

    expect(signedIn.statusCode).toBe(200)
    expect(refused.statusCode).toBe(401)
    const userId = signedIn.json().user.id
    const bearer = { authorization: `Bearer ${signedIn.json().session.access_token}` }
    const keyFrom = async (secret: typeof wrapSecret) =>
      deriveKeyEncryptionKey({ masterKey: await deriveMasterKey(password, userId), wrapSecret: secret, userId })
    const accountKey = createAccountKey()
    const wrappedKey = await wrapAccountKey({
      accountKey,
      keyEncryptionKey: await keyFrom(wrapSecret),
      userId,
      keyVersion: 1,
    })
    await server.put('/api/account/keys', { keyVersion: 1, profile: 2, wrappedKey }, { ...bearer, ...ifNone })
    const [slot] = (await server.get('/api/account/keys', bearer)).json().slots
    const opened = await unwrapAccountKey({ ...slot, keyEncryptionKey: await keyFrom(registered.wrapSecret), userId })
    expect(opened).toEqual(accountKey)
    const wrongKey = await keyFrom(shortened.wrapSecret)
    await expect(unwrapAccountKey({ ...slot, keyEncryptionKey: wrongKey, userId })).rejects.toThrow()
  },
)
