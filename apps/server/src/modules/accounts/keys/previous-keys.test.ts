import { keyLimits, rateLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { type Member, randomWrappedKey, startServerWithKeys } from '../../../testing/clients/account-keys.ts'
import { onAnyDatabase, type Stage } from '../../../testing/engines/databases.ts'

const hour = 60 * 60_000
const day = 24 * hour

interface Previous {
  readonly id: string
  readonly wrappedKey: string
}

async function startWithPreviousKeys(stage: Stage) {
  const { server, first, mine } = await startServerWithKeys(stage, { policy: 'remember' })
  let bearer = mine.bearer
  /** Signs in again, which counts as a fresh proof. */
  async function signInAgain(): Promise<void> {
    const { email, password } = mine
    const { session } = (await server.post('/api/login', { email, password })).json()
    bearer = { authorization: `Bearer ${session.access_token}` }
  }
  const commit = (slot: number) => server.post('/api/account/keys/commit', { slot }, bearer)
  async function replace(key = randomWrappedKey()) {
    const { slot } = (await server.post('/api/account/keys/staged', key, bearer)).json()
    return commit(slot)
  }
  const currentKey = async (): Promise<string> =>
    (await server.get('/api/account/keys', bearer))
      .json()
      .slots.map((slot: Previous) => slot.wrappedKey)
      .join()
  const previous = async (): Promise<Previous[]> =>
    (await server.get('/api/account/keys/previous', bearer)).json().previous
  const restore = (id = '') => server.post('/api/account/keys/restore', { id }, bearer)
  return { server, first, mine, signInAgain, commit, replace, currentKey, previous, restore }
}

onAnyDatabase('a replaced key can be restored for 30 days and is swapped with the current one', async (stage) => {
  const { server, first, replace, currentKey, previous, restore, signInAgain } = await startWithPreviousKeys(stage)
  const replacement = randomWrappedKey()
  await replace(replacement)
  const [changed] = await server.emails()
  stage.advance(30 * day - 1)
  await signInAgain()

  const [stored, ...others] = await previous()
  const restored = await restore(stored?.id)

  expect([stored?.wrappedKey, others]).toEqual([first.wrappedKey, []])
  expect(restored.statusCode).toBe(200)
  expect(await currentKey()).toBe(first.wrappedKey)
  expect((await previous()).map(({ wrappedKey }) => wrappedKey)).toEqual([replacement.wrappedKey])
  expect(changed?.subject).toBe('The password that unlocks your files was changed')
  expect((await server.emails()).at(-1)?.subject).toBe('Your previous account key was restored')
})

onAnyDatabase('after 30 days a previous key is not listed, cannot be restored and is deleted', async (stage) => {
  const { server, replace, previous, restore, signInAgain, currentKey } = await startWithPreviousKeys(stage)
  const next = randomWrappedKey()
  await replace(next)
  const [stored] = await previous()
  stage.advance(30 * day)
  await signInAgain()

  expect(await previous()).toEqual([])
  expect((await restore(stored?.id)).statusCode).toBe(404)
  expect(await currentKey()).toBe(next.wrappedKey)
  await server.deleteOldKeys()
  expect(await stage.db.selectFrom('previous_account_keys').selectAll().execute()).toEqual([])
})

onAnyDatabase('commits are rate-limited and never displace the oldest previous key', async (stage) => {
  const { first, replace, previous, signInAgain } = await startWithPreviousKeys(stage)
  const statuses = []
  for (let round = 0; round < 3; round += 1) {
    for (let one = 0; one <= rateLimits.keyCommitsPerAccount.points; one += 1) {
      statuses.push((await replace()).statusCode)
    }
    stage.advance(hour)
    await signInAgain()
  }

  const stored = await previous()

  expect(statuses.filter((status) => status === 200)).toHaveLength(3 * rateLimits.keyCommitsPerAccount.points)
  expect(statuses.filter((status) => status === 429)).toHaveLength(3)
  expect(stored).toHaveLength(keyLimits.previous)
  expect(stored.at(-1)?.wrappedKey).toBe(first.wrappedKey)
})

onAnyDatabase('restoring a previous key of another account answers 404', async (stage) => {
  const { server, replace, previous } = await startWithPreviousKeys(stage)
  await replace()
  const [stored] = await previous()
  const stranger = await server.createMember()

  const restored = await server.post('/api/account/keys/restore', { id: stored?.id }, stranger.bearer)

  expect(restored.statusCode).toBe(404)
})

onAnyDatabase('restoring a previous key deletes the device shares', async (stage) => {
  const { server, mine, replace, previous, restore } = await startWithPreviousKeys(stage)
  await replace()
  await server.post('/api/device-unlock', {}, mine.bearer)
  const [stored] = await previous()

  await restore(stored?.id)

  expect((await server.get('/api/device-unlock', mine.bearer)).json().code).toBe('DEVICE_NOT_REMEMBERED')
})

const recoveryKeyOf = ({ server, bearer }: Member) => ({
  save: () =>
    server.put('/api/account/recovery-key', { keyVersion: 1, wrappedKey: randomWrappedKey().wrappedKey }, bearer),
  remove: () => server.remove('/api/account/recovery-key', bearer),
})

onAnyDatabase('creating and removing a recovery key send an email to the owner', async (stage) => {
  const { mine } = await startServerWithKeys(stage)
  const recoveryKey = recoveryKeyOf(mine)
  await recoveryKey.save()
  await recoveryKey.remove()

  const subjects = (await mine.server.emails()).map(({ subject }) => subject)

  expect(subjects).toEqual(['A recovery key was created', 'Your recovery key was removed'])
})

/** Starts with 9 previous keys: the owner has changed the password 9 times, once a day. */
async function startWithNine(stage: Stage) {
  const fixture = await startWithPreviousKeys(stage)
  const last = randomWrappedKey()
  for (let change = 1; change < keyLimits.previous; change += 1) {
    await fixture.replace(change === keyLimits.previous - 1 ? last : randomWrappedKey())
    stage.advance(day)
    await fixture.signInAgain()
  }
  const wrappedKeys = async () => (await fixture.previous()).map(({ wrappedKey }) => wrappedKey)
  expect([await fixture.currentKey(), (await fixture.previous()).length]).toEqual([
    last.wrappedKey,
    keyLimits.previous - 1,
  ])
  return { ...fixture, last: last.wrappedKey, wrappedKeys }
}

onAnyDatabase('5 consecutive commits do not displace a key that was in use for longer', async (stage) => {
  const { replace, wrappedKeys, last, first } = await startWithNine(stage)
  for (let commit = 0; commit < 5; commit += 1) {
    expect((await replace()).statusCode).toBe(200)
    stage.advance(30_000)
  }

  const stored = await wrappedKeys()

  expect(stored).toHaveLength(keyLimits.previous)
  expect([stored.includes(last), stored.at(-1)]).toEqual([true, first.wrappedKey])
})

onAnyDatabase(
  'neither recommitting nor restoring the current key makes it the first one to be displaced',
  async (stage) => {
    const { commit, replace, restore, previous, wrappedKeys, last, currentKey } = await startWithNine(stage)
    expect((await commit(1)).statusCode).toBe(200)
    await replace()
    const real = (await previous()).find(({ wrappedKey }) => wrappedKey === last)
    await restore(real?.id)
    expect(await currentKey()).toBe(last)

    await replace()
    await replace()

    expect(await wrappedKeys()).toContain(last)
  },
)

onAnyDatabase(
  'a key that was in use for an hour is stored and displaces one that was in use for less',
  async (stage) => {
    const { replace, wrappedKeys, last, first, currentKey, signInAgain } = await startWithNine(stage)
    await replace()
    await replace()
    const longUsed = await currentKey()
    stage.advance(25 * hour)
    await signInAgain()
    await replace()

    const stored = await wrappedKeys()

    expect(stored).toHaveLength(keyLimits.previous)
    expect([stored[0], stored.includes(last), stored.at(-1)]).toEqual([longUsed, true, first.wrappedKey])
  },
)
