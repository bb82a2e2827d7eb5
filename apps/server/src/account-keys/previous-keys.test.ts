import { keyLimits, rateLimits } from '@sallyport/contract/server-limits'
import { expect } from 'vitest'
import { aWrappedKey, type Member, startKeys } from '../testing/account-keys.ts'
import { onBothDatabases, type Stage } from '../testing/databases.ts'

const hour = 60 * 60_000
const day = 24 * hour

interface Previous {
  readonly id: string
  readonly wrappedKey: string
}

async function start(stage: Stage) {
  const { server, first, mine } = await startKeys(stage, { policy: 'remember' })
  let bearer = mine.bearer
  /** Signs in again, which is a fresh proof. */
  async function signInAgain(): Promise<void> {
    const { email, password } = mine
    const { session } = (await server.post('/api/login', { email, password })).json()
    bearer = { authorization: `Bearer ${session.access_token}` }
  }
  const commit = (slot: number) => server.post('/api/account/keys/commit', { slot }, bearer)
  async function replace(key = aWrappedKey()) {
    const { slot } = (await server.post('/api/account/keys/staged', key, bearer)).json()
    return commit(slot)
  }
  const inUse = async (): Promise<string> =>
    (await server.get('/api/account/keys', bearer))
      .json()
      .slots.map((slot: Previous) => slot.wrappedKey)
      .join()
  const previous = async (): Promise<Previous[]> =>
    (await server.get('/api/account/keys/previous', bearer)).json().previous
  const restore = (id = '') => server.post('/api/account/keys/restore', { id }, bearer)
  return { server, first, mine, signInAgain, commit, replace, inUse, previous, restore }
}

onBothDatabases(
  'a key that was replaced is restored within 30 days, and the one in use then takes its place',
  async (stage) => {
    const { server, first, replace, inUse, previous, restore, signInAgain } = await start(stage)
    const rubbish = aWrappedKey()
    await replace(rubbish)
    const [changed] = await server.letters()
    stage.advance(30 * day - 1)
    await signInAgain()

    const [kept, ...others] = await previous()
    const restored = await restore(kept?.id)

    expect([kept?.wrappedKey, others]).toEqual([first.wrappedKey, []])
    expect(restored.statusCode).toBe(200)
    expect(await inUse()).toBe(first.wrappedKey)
    expect((await previous()).map(({ wrappedKey }) => wrappedKey)).toEqual([rubbish.wrappedKey])
    expect(changed?.subject).toBe('Your account key was changed')
    expect((await server.letters()).at(-1)?.subject).toBe('Your previous account key was restored')
  },
)

onBothDatabases('after 30 days a previous key is neither shown nor restored, and its row goes', async (stage) => {
  const { server, replace, previous, restore, signInAgain, inUse } = await start(stage)
  const next = aWrappedKey()
  await replace(next)
  const [kept] = await previous()
  stage.advance(30 * day)
  await signInAgain()

  expect(await previous()).toEqual([])
  expect((await restore(kept?.id)).statusCode).toBe(404)
  expect(await inUse()).toBe(next.wrappedKey)
  await server.forgetOldKeys()
  expect(await stage.db.selectFrom('previous_account_keys').selectAll().execute()).toEqual([])
})

onBothDatabases('repeated commits are limited and never push the oldest previous key out', async (stage) => {
  const { first, replace, previous, signInAgain } = await start(stage)
  const statuses = []
  for (let round = 0; round < 3; round += 1) {
    for (let one = 0; one <= rateLimits.keyCommitsPerAccount.points; one += 1) {
      statuses.push((await replace()).statusCode)
    }
    stage.advance(hour)
    await signInAgain()
  }

  const kept = await previous()

  expect(statuses.filter((status) => status === 200)).toHaveLength(3 * rateLimits.keyCommitsPerAccount.points)
  expect(statuses.filter((status) => status === 429)).toHaveLength(3)
  expect(kept).toHaveLength(keyLimits.previous)
  expect(kept.at(-1)?.wrappedKey).toBe(first.wrappedKey)
})

onBothDatabases('nobody restores the key of another account', async (stage) => {
  const { server, replace, previous } = await start(stage)
  await replace()
  const [kept] = await previous()
  const stranger = await server.aMember()

  const restored = await server.post('/api/account/keys/restore', { id: kept?.id }, stranger.bearer)

  expect(restored.statusCode).toBe(404)
})

onBothDatabases('restoring ends what unlocks remembered devices', async (stage) => {
  const { server, mine, replace, previous, restore } = await start(stage)
  await replace()
  await server.post('/api/device-unlock', {}, mine.bearer)
  const [kept] = await previous()

  await restore(kept?.id)

  expect((await server.get('/api/device-unlock', mine.bearer)).json().code).toBe('DEVICE_NOT_REMEMBERED')
})

const recoveryKeyOf = ({ server, bearer }: Member) => ({
  save: () => server.put('/api/account/recovery-key', { keyVersion: 1, wrappedKey: aWrappedKey().wrappedKey }, bearer),
  remove: () => server.remove('/api/account/recovery-key', bearer),
})

onBothDatabases('the owner gets a mail when a recovery key is created and removed', async (stage) => {
  const { mine } = await startKeys(stage)
  const recoveryKey = recoveryKeyOf(mine)
  await recoveryKey.save()
  await recoveryKey.remove()

  const subjects = (await mine.server.letters()).map(({ subject }) => subject)

  expect(subjects).toEqual(['A recovery key was created', 'Your recovery key was removed'])
})

/** An owner who has changed the password once a day, nine times, so that nine previous keys are stored. */
async function startWithNine(stage: Stage) {
  const parts = await start(stage)
  const last = aWrappedKey()
  for (let change = 1; change < keyLimits.previous; change += 1) {
    await parts.replace(change === keyLimits.previous - 1 ? last : aWrappedKey())
    stage.advance(day)
    await parts.signInAgain()
  }
  const wrappedKeys = async () => (await parts.previous()).map(({ wrappedKey }) => wrappedKey)
  expect([await parts.inUse(), (await parts.previous()).length]).toEqual([last.wrappedKey, keyLimits.previous - 1])
  return { ...parts, last: last.wrappedKey, wrappedKeys }
}

onBothDatabases('commits one after the other never push out the key that was in use for longer', async (stage) => {
  const { replace, wrappedKeys, last, first } = await startWithNine(stage)
  for (let commit = 0; commit < 5; commit += 1) {
    expect((await replace()).statusCode).toBe(200)
    stage.advance(30_000)
  }

  const kept = await wrappedKeys()

  expect(kept).toHaveLength(keyLimits.previous)
  expect([kept.includes(last), kept.at(-1)]).toEqual([true, first.wrappedKey])
})

onBothDatabases('neither committing the key in use again nor restoring it makes it the first to go', async (stage) => {
  const { commit, replace, restore, previous, wrappedKeys, last, inUse } = await startWithNine(stage)
  expect((await commit(1)).statusCode).toBe(200)
  await replace()
  const real = (await previous()).find(({ wrappedKey }) => wrappedKey === last)
  await restore(real?.id)
  expect(await inUse()).toBe(last)

  await replace()
  await replace()

  expect(await wrappedKeys()).toContain(last)
})

onBothDatabases('a key that was in use for an hour is stored, and displaces one with a shorter use', async (stage) => {
  const { replace, wrappedKeys, last, first, inUse, signInAgain } = await startWithNine(stage)
  await replace()
  await replace()
  const longUsed = await inUse()
  stage.advance(25 * hour)
  await signInAgain()
  await replace()

  const kept = await wrappedKeys()

  expect(kept).toHaveLength(keyLimits.previous)
  expect([kept[0], kept.includes(last), kept.at(-1)]).toEqual([longUsed, true, first.wrappedKey])
})
