import { createAccountKey, createRecoveryKey, unwrapFromRecovery, wrapForRecovery } from '@sallyport/crypto'
import { expect } from 'vitest'
import { randomWrappedKey, startServerWithKeys } from '../../../testing/clients/account-keys.ts'
import { onAnyDatabase } from '../../../testing/engines/databases.ts'

const path = '/api/account/recovery-key'

onAnyDatabase('the recovery key of an account is stored until it is replaced or removed', async (stage) => {
  const { server, mine } = await startServerWithKeys(stage)
  const theirs = await server.createMember()
  const recoveryOf = async (bearer: { authorization: string }) =>
    (await server.get('/api/account/keys', bearer)).json().recovery
  const accountKey = createAccountKey()
  const context = { userId: mine.userId, keyVersion: 1 }
  const wrap = (recoveryKey: Uint8Array) => wrapForRecovery({ accountKey, recoveryKey, ...context })
  const [older, newer] = [createRecoveryKey(), createRecoveryKey()]
  await server.put(path, { keyVersion: 1, wrappedKey: await wrap(older) }, mine.bearer)
  stage.advance(1000)

  const saved = await server.put(path, { keyVersion: 1, wrappedKey: await wrap(newer) }, mine.bearer)

  expect(saved.json()).toEqual({ success: true })
  const { wrappedKey, ...metadata } = await recoveryOf(mine.bearer)
  expect(metadata).toEqual({ keyVersion: 1, createdAt: stage.now() })
  expect(await unwrapFromRecovery({ wrappedKey, recoveryKey: newer, ...context })).toEqual({
    accountKey,
    isBound: true,
  })
  await expect(unwrapFromRecovery({ wrappedKey, recoveryKey: older, ...context })).rejects.toThrow()
  expect(await recoveryOf(theirs.bearer)).toBeNull()
  expect((await server.remove(path, mine.bearer)).json()).toEqual({ success: true })
  expect(await recoveryOf(mine.bearer)).toBeNull()
})

onAnyDatabase('saving a recovery key that does not wrap the current key answers CONFLICT', async (stage) => {
  const { server, mine } = await startServerWithKeys(stage)
  const newcomer = await server.createMember()
  const { wrappedKey } = randomWrappedKey()

  const otherVersion = await server.put(path, { keyVersion: 2, wrappedKey }, mine.bearer)
  const keyless = await server.put(path, { keyVersion: 1, wrappedKey }, newcomer.bearer)
  const short = await server.put(path, { keyVersion: 1, wrappedKey: wrappedKey.slice(1) }, mine.bearer)

  for (const refused of [otherVersion, keyless]) {
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'CONFLICT'])
  }
  expect([short.statusCode, short.json().code]).toEqual([400, 'BAD_REQUEST'])
})

onAnyDatabase('a password change does not affect the recovery key', async (stage) => {
  const { server, mine } = await startServerWithKeys(stage)
  const { wrappedKey } = randomWrappedKey()
  await server.put(path, { keyVersion: 1, wrappedKey }, mine.bearer)

  await server.post('/api/account/keys/staged', randomWrappedKey(), mine.bearer)
  await server.post('/api/account/keys/commit', { slot: 2 }, mine.bearer)

  expect((await server.get('/api/account/keys', mine.bearer)).json().recovery.wrappedKey).toBe(wrappedKey)
})
