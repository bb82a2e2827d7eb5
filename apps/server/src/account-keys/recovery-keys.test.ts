import { createAccountKey, createRecoveryKey, unwrapFromRecovery, wrapForRecovery } from '@sallyport/crypto'
import { expect } from 'vitest'
import { aWrappedKey, startKeys } from '../testing/account-keys.ts'
import { onBothDatabases } from '../testing/databases.ts'

const path = '/api/account/recovery-key'

onBothDatabases('what a recovery key opens is kept for its account until it is replaced or removed', async (stage) => {
  const { server, mine } = await startKeys(stage)
  const theirs = await server.aMember()
  const recoveryOf = async (bearer: { authorization: string }) =>
    (await server.get('/api/account/keys', bearer)).json().recovery
  const accountKey = createAccountKey()
  const place = { userId: mine.userId, keyVersion: 1 }
  const wrap = (recoveryKey: Uint8Array) => wrapForRecovery({ accountKey, recoveryKey, ...place })
  const [older, newer] = [createRecoveryKey(), createRecoveryKey()]
  await server.put(path, { keyVersion: 1, wrappedKey: await wrap(older) }, mine.bearer)
  stage.advance(1000)

  const saved = await server.put(path, { keyVersion: 1, wrappedKey: await wrap(newer) }, mine.bearer)

  expect(saved.json()).toEqual({ success: true })
  const { wrappedKey, ...facts } = await recoveryOf(mine.bearer)
  expect(facts).toEqual({ keyVersion: 1, createdAt: stage.now() })
  expect(await unwrapFromRecovery({ wrappedKey, recoveryKey: newer, ...place })).toEqual({ accountKey, isBound: true })
  await expect(unwrapFromRecovery({ wrappedKey, recoveryKey: older, ...place })).rejects.toThrow()
  expect(await recoveryOf(theirs.bearer)).toBeNull()
  expect((await server.remove(path, mine.bearer)).json()).toEqual({ success: true })
  expect(await recoveryOf(mine.bearer)).toBeNull()
})

onBothDatabases('a recovery key that wraps no key in use is refused', async (stage) => {
  const { server, mine } = await startKeys(stage)
  const newcomer = await server.aMember()
  const { wrappedKey } = aWrappedKey()

  const otherVersion = await server.put(path, { keyVersion: 2, wrappedKey }, mine.bearer)
  const keyless = await server.put(path, { keyVersion: 1, wrappedKey }, newcomer.bearer)
  const short = await server.put(path, { keyVersion: 1, wrappedKey: wrappedKey.slice(1) }, mine.bearer)

  for (const refused of [otherVersion, keyless]) {
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'CONFLICT'])
  }
  expect([short.statusCode, short.json().code]).toEqual([400, 'BAD_REQUEST'])
})

onBothDatabases('a password change leaves the recovery key good', async (stage) => {
  const { server, mine } = await startKeys(stage)
  const { wrappedKey } = aWrappedKey()
  await server.put(path, { keyVersion: 1, wrappedKey }, mine.bearer)

  await server.post('/api/account/keys/staged', aWrappedKey(), mine.bearer)
  await server.post('/api/account/keys/commit', { slot: 2 }, mine.bearer)

  expect((await server.get('/api/account/keys', mine.bearer)).json().recovery.wrappedKey).toBe(wrappedKey)
})
