import { keyLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import {
  ifNoneMatch,
  type Member,
  randomWrappedKey,
  startServerWithKeys,
} from '../../../testing/clients/account-keys.ts'
import { onAnyDatabase } from '../../../testing/engines/databases.ts'
import { apiVersionHeader } from '../../../testing/servers/account-server.ts'

onAnyDatabase('T057 a staged key becomes current only when it is committed', async (stage) => {
  const { server, mine, first } = await startServerWithKeys(stage)
  const next = randomWrappedKey()

  const staged = await server.post('/api/account/keys/staged', next, mine.bearer)

  expect(staged.json()).toEqual({ success: true, slot: 2 })
  expect(await slotsOf(mine)).toEqual([
    { slot: 1, ...first },
    { slot: 2, ...next },
  ])
  const committed = await server.post('/api/account/keys/commit', { slot: 2 }, mine.bearer)
  expect(committed.json()).toEqual({ success: true, lostFiles: 0 })
  expect(await slotsOf(mine)).toEqual([{ slot: 1, ...next }])
})

onAnyDatabase('T057 4 concurrently staged keys are all stored until one is committed', async (stage) => {
  const { server, mine, first } = await startServerWithKeys(stage)
  const keys = Array.from({ length: 4 }, () => randomWrappedKey())

  const answers = await Promise.all(keys.map((key) => server.post('/api/account/keys/staged', key, mine.bearer)))

  const slots = answers.map((answer) => answer.json().slot)
  expect([...slots].sort()).toEqual([2, 3, 4, 5])
  const storedSlots = await slotsOf(mine)
  expect(storedSlots).toContainEqual({ slot: 1, ...first })
  for (const [index, slot] of slots.entries()) expect(storedSlots).toContainEqual({ slot, ...keys[index] })
  await server.post('/api/account/keys/commit', { slot: slots[2] }, mine.bearer)
  const late = await server.post('/api/account/keys/commit', { slot: slots[0] }, mine.bearer)
  expect([late.statusCode, late.json().code]).toEqual([409, 'KEYS_NOT_STAGED'])
  expect(await slotsOf(mine)).toEqual([{ slot: 1, ...keys[2] }])
})

onAnyDatabase('the number of staged keys is limited, and only old ones are replaced', async (stage) => {
  const { server, mine } = await startServerWithKeys(stage)
  let bearer = mine.bearer
  const stageOne = () => server.post('/api/account/keys/staged', randomWrappedKey(), bearer)
  for (let count = 0; count < keyLimits.staged; count += 1) expect((await stageOne()).statusCode).toBe(200)

  const refused = await stageOne()
  stage.advance(keyLimits.stagedForMs)
  bearer = await signInAgain(mine)
  const later = await stageOne()

  expect([refused.statusCode, refused.json().code]).toEqual([409, 'CONFLICT'])
  expect(later.json().slot).toBe(keyLimits.staged + 2)
  const slots = (await slotsOf({ ...mine, bearer })).map(({ slot }) => slot)
  expect(slots).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10])
})

onAnyDatabase('staging without a current key and committing an empty slot answer errors', async (stage) => {
  const { server, mine } = await startServerWithKeys(stage)
  const newcomer = await server.createMember()

  const staged = await server.post('/api/account/keys/staged', randomWrappedKey(), newcomer.bearer)
  const committed = await server.post('/api/account/keys/commit', { slot: 2 }, mine.bearer)
  const skipped = await server.post('/api/account/keys/staged', randomWrappedKey({ keyVersion: 3 }), mine.bearer)

  expect([staged.statusCode, staged.json().code]).toEqual([409, 'CONFLICT'])
  expect([committed.statusCode, committed.json().code]).toEqual([409, 'KEYS_NOT_STAGED'])
  expect([skipped.statusCode, skipped.json().code]).toEqual([403, 'RECOVERY_REQUIRED'])
})

onAnyDatabase('T058 a new account key is accepted only shortly after a sign-in by recovery email', async (stage) => {
  const { server, mine } = await startServerWithKeys(stage)
  const another = randomWrappedKey({ keyVersion: 2 })

  const byPassword = await server.post('/api/account/keys/staged', another, mine.bearer)
  const recovered = await recover(mine)
  const fresh = await server.post('/api/account/keys/staged', another, recovered)
  stage.advance(keyLimits.keyResetMs)
  const late = await server.post('/api/account/keys/staged', another, recovered)

  expect([byPassword.statusCode, byPassword.json().code]).toEqual([403, 'RECOVERY_REQUIRED'])
  expect(fresh.json()).toEqual({ success: true, slot: 2 })
  expect([late.statusCode, late.json().code]).toEqual([403, 'RECOVERY_REQUIRED'])
})

onAnyDatabase(
  'committing a new account key marks the existing files as lost and deletes the recovery key',
  async (stage) => {
    const { server, mine } = await startServerWithKeys(stage)
    const theirs = await server.createMember()
    await server.put(
      '/api/account/recovery-key',
      { keyVersion: 1, wrappedKey: randomWrappedKey().wrappedKey },
      mine.bearer,
    )
    const [before, expired] = [await mine.insertFile(), await mine.insertFile({ expiresAt: stage.now() })]
    const foreign = await mine.insertFile({ ownerId: theirs.userId })
    const another = randomWrappedKey({ keyVersion: 2 })
    const bearer = await recover(mine)

    await server.post('/api/account/keys/staged', another, bearer)
    const committed = await server.post('/api/account/keys/commit', { slot: 2 }, bearer)

    expect(committed.json()).toEqual({ success: true, lostFiles: 1 })
    const after = await mine.insertFile()
    const rows = await stage.db.selectFrom('files').select(['id', 'lost']).execute()
    expect(Object.fromEntries(rows.map(({ id, lost }) => [id, lost]))).toEqual({
      [before]: 1,
      [expired]: 1,
      [foreign]: 0,
      [after]: 0,
    })
    expect((await server.get('/api/account/keys', bearer)).json()).toEqual({
      success: true,
      slots: [{ slot: 1, ...another }],
      recovery: null,
    })
  },
)

onAnyDatabase('committing a slot does not affect another account', async (stage) => {
  const { server, mine, first } = await startServerWithKeys(stage)
  const theirs = await server.createMember()
  await server.put('/api/account/keys', randomWrappedKey(), { ...theirs.bearer, ...ifNoneMatch })
  await server.post('/api/account/keys/staged', randomWrappedKey(), theirs.bearer)

  const committed = await server.post('/api/account/keys/commit', { slot: 2 }, mine.bearer)

  expect(committed.statusCode).toBe(409)
  expect(await slotsOf(mine)).toEqual([{ slot: 1, ...first }])
})

const slotsOf = async ({ server, bearer }: Member) =>
  (await server.get('/api/account/keys', bearer)).json().slots as { slot: number }[]

/** Signs the member in again by password, which counts as a fresh proof. */
async function signInAgain({ server, email, password }: Member) {
  const { session } = (await server.post('/api/login', { email, password })).json()
  return { authorization: `Bearer ${session.access_token}` }
}

/** Signs the member in by the link of a recovery email. */
async function recover({ server, email }: Member) {
  const token_hash = await server.provider.createRecoveryLink(email)
  const answer = await server.post('/auth/v1/verify', { type: 'recovery', token_hash }, apiVersionHeader)
  return { authorization: `Bearer ${answer.json().access_token}` }
}
