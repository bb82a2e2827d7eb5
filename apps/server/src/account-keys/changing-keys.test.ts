import { keyLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { aWrappedKey, ifNone, type Member, startKeys } from '../testing/account-keys.ts'
import { datedForm } from '../testing/account-server.ts'
import { onBothDatabases } from '../testing/databases.ts'

onBothDatabases(
  'T057 a key that is laid beside the present one leaves that one in use until it is taken',
  async (stage) => {
    const { server, mine, first } = await startKeys(stage)
    const next = aWrappedKey()

    const staged = await server.post('/api/account/keys/staged', next, mine.bearer)

    expect(staged.json()).toEqual({ success: true, slot: 2 })
    expect(await slotsOf(mine)).toEqual([
      { slot: 1, ...first },
      { slot: 2, ...next },
    ])
    const taken = await server.post('/api/account/keys/commit', { slot: 2 }, mine.bearer)
    expect(taken.json()).toEqual({ success: true, lostFiles: 0 })
    expect(await slotsOf(mine)).toEqual([{ slot: 1, ...next }])
  },
)

onBothDatabases(
  'T057 of two passwords changed at once neither loses its key before one of them is taken',
  async (stage) => {
    const { server, mine, first } = await startKeys(stage)
    const keys = Array.from({ length: 4 }, () => aWrappedKey())

    const answers = await Promise.all(keys.map((key) => server.post('/api/account/keys/staged', key, mine.bearer)))

    const slots = answers.map((answer) => answer.json().slot)
    expect([...slots].sort()).toEqual([2, 3, 4, 5])
    const kept = await slotsOf(mine)
    expect(kept).toContainEqual({ slot: 1, ...first })
    for (const [index, slot] of slots.entries()) expect(kept).toContainEqual({ slot, ...keys[index] })
    await server.post('/api/account/keys/commit', { slot: slots[2] }, mine.bearer)
    const late = await server.post('/api/account/keys/commit', { slot: slots[0] }, mine.bearer)
    expect([late.statusCode, late.json().code]).toEqual([409, 'KEYS_NOT_STAGED'])
    expect(await slotsOf(mine)).toEqual([{ slot: 1, ...keys[2] }])
  },
)

onBothDatabases('only so many keys lie beside the present one, and none goes before it is old', async (stage) => {
  const { server, mine } = await startKeys(stage)
  let bearer = mine.bearer
  const stageOne = () => server.post('/api/account/keys/staged', aWrappedKey(), bearer)
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

onBothDatabases(
  'an account without a key has nothing to change, and no slot that was never filled is taken',
  async (stage) => {
    const { server, mine } = await startKeys(stage)
    const newcomer = await server.aMember()

    const staged = await server.post('/api/account/keys/staged', aWrappedKey(), newcomer.bearer)
    const taken = await server.post('/api/account/keys/commit', { slot: 2 }, mine.bearer)
    const skipped = await server.post('/api/account/keys/staged', aWrappedKey({ keyVersion: 3 }), mine.bearer)

    expect([staged.statusCode, staged.json().code]).toEqual([409, 'CONFLICT'])
    expect([taken.statusCode, taken.json().code]).toEqual([409, 'KEYS_NOT_STAGED'])
    expect([skipped.statusCode, skipped.json().code]).toEqual([403, 'RECOVERY_REQUIRED'])
  },
)

onBothDatabases(
  'T058 another account key is only taken from somebody who came by a recovery mail, and not long ago',
  async (stage) => {
    const { server, mine } = await startKeys(stage)
    const another = aWrappedKey({ keyVersion: 2 })

    const byPassword = await server.post('/api/account/keys/staged', another, mine.bearer)
    const recovered = await recover(mine)
    const fresh = await server.post('/api/account/keys/staged', another, recovered)
    stage.advance(keyLimits.startAgainMs)
    const late = await server.post('/api/account/keys/staged', another, recovered)

    expect([byPassword.statusCode, byPassword.json().code]).toEqual([403, 'RECOVERY_REQUIRED'])
    expect(fresh.json()).toEqual({ success: true, slot: 2 })
    expect([late.statusCode, late.json().code]).toEqual([403, 'RECOVERY_REQUIRED'])
  },
)

onBothDatabases(
  'starting again with another account key marks what was there as lost, and the recovery key goes',
  async (stage) => {
    const { server, mine } = await startKeys(stage)
    const theirs = await server.aMember()
    await server.put('/api/account/recovery-key', { keyVersion: 1, wrappedKey: aWrappedKey().wrappedKey }, mine.bearer)
    const [before, expired] = [await mine.aFile(), await mine.aFile({ expiresAt: stage.now() })]
    const foreign = await mine.aFile({ ownerId: theirs.userId })
    const another = aWrappedKey({ keyVersion: 2 })
    const bearer = await recover(mine)

    await server.post('/api/account/keys/staged', another, bearer)
    const taken = await server.post('/api/account/keys/commit', { slot: 2 }, bearer)

    expect(taken.json()).toEqual({ success: true, lostFiles: 1 })
    const after = await mine.aFile()
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

onBothDatabases('nobody changes the keys of another account', async (stage) => {
  const { server, mine, first } = await startKeys(stage)
  const theirs = await server.aMember()
  await server.put('/api/account/keys', aWrappedKey(), { ...theirs.bearer, ...ifNone })
  await server.post('/api/account/keys/staged', aWrappedKey(), theirs.bearer)

  const taken = await server.post('/api/account/keys/commit', { slot: 2 }, mine.bearer)

  expect(taken.statusCode).toBe(409)
  expect(await slotsOf(mine)).toEqual([{ slot: 1, ...first }])
})

const slotsOf = async ({ server, bearer }: Member) =>
  (await server.get('/api/account/keys', bearer)).json().slots as { slot: number }[]

/** Another sign-in of the member by their password, which is a fresh proof. */
async function signInAgain({ server, email, password }: Member) {
  const { session } = (await server.post('/api/login', { email, password })).json()
  return { authorization: `Bearer ${session.access_token}` }
}

/** Another sign-in of the member, which a recovery mail has just begun. */
async function recover({ server, email }: Member) {
  const token_hash = await server.provider.recoveryLink(email)
  const answer = await server.post('/auth/v1/verify', { type: 'recovery', token_hash }, datedForm)
  return { authorization: `Bearer ${answer.json().access_token}` }
}
