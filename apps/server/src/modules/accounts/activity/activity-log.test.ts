import { activityLimits } from '@sallyport/contract/activity'
import { activityLogLimits } from '@sallyport/contract/server-limits'
import { expect, test } from 'vitest'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { newUser } from '../../auth/users/new-user.ts'
import { type ActivityStore, createActivityStore } from './activity.store.ts'
import { createActivityLog } from './activity-log.ts'

const { perAccount, retentionMs } = activityLimits
const { pending, pendingPerAccount, mergeMs } = activityLogLimits

onBothDatabases('equal actions within 10 minutes are one entry with sums, whatever is in between', async (stage) => {
  const { log, createUser } = start(stage)
  const userId = await createUser()
  const begin = stage.now()
  log.record(userId, { action: 'upload', files: 1, bytes: 100 })
  stage.advance(1)
  log.record(userId, { action: 'delete', files: 2, bytes: 30 })
  log.record(userId, { action: 'upload', files: 1, bytes: 11 })
  await log.list(userId, perAccount)
  stage.advance(mergeMs - 2)
  log.record(userId, { action: 'upload', files: 3, bytes: 1000 })

  expect(await log.list(userId, perAccount)).toEqual([
    { action: 'delete', timestamp: begin + 1, details: { files: 2, bytes: 30 } },
    { action: 'upload', timestamp: begin, details: { files: 5, bytes: 1111 } },
  ])

  stage.advance(1)
  log.record(userId, { action: 'upload', files: 1, bytes: 7 })

  const [latest, ...others] = await log.list(userId, perAccount)
  expect(latest).toEqual({ action: 'upload', timestamp: stage.now(), details: { files: 1, bytes: 7 } })
  expect(others).toHaveLength(2)
})

onBothDatabases('every sign-in is an entry, and share links have a number and no size', async (stage) => {
  const { log, createUser } = start(stage)
  const userId = await createUser()
  for (let count = 0; count < 3; count += 1) {
    log.record(userId, { action: 'share', files: 1 })
    stage.advance(1)
    log.record(userId, { action: 'sign-in' })
    await log.list(userId, perAccount)
  }

  const entries = await log.list(userId, perAccount)

  const signIn = ['sign-in', {}]
  const found = entries.map(({ action, details }) => [action, details])
  expect(found).toEqual([signIn, signIn, signIn, ['share', { files: 3 }]])
})

onBothDatabases('ADM-03 an account has its newest 200 entries', async (stage) => {
  const { log, createUser, rows } = start(stage)
  const [userId, otherId] = [await createUser(), await createUser()]
  log.record(otherId, { action: 'sign-in' })
  const first = stage.now()
  for (let count = 0; count < perAccount + 5; count += 1) {
    log.record(userId, { action: 'sign-in' })
    if (count % pendingPerAccount === pendingPerAccount - 1) await log.list(userId, 1)
    stage.advance(1)
  }

  const entries = await log.list(userId, perAccount + 5)

  expect(entries).toHaveLength(perAccount)
  expect([entries.at(0)?.timestamp, entries.at(-1)?.timestamp]).toEqual([first + perAccount + 4, first + 5])
  expect(await rows()).toHaveLength(perAccount + 1)
  expect(await log.list(otherId, perAccount)).toHaveLength(1)
})

onBothDatabases('ADM-03 entries are not listed after 90 days, and a job deletes their rows', async (stage) => {
  const { log, createUser, rows } = start(stage)
  const userIds = [await createUser(), await createUser(), await createUser()]
  for (const userId of userIds) {
    for (let count = 0; count < 100; count += 1) {
      log.record(userId, { action: 'sign-in' })
      if (count % pendingPerAccount === 0) await log.list(userId, 1)
    }
  }
  const [userId = ''] = userIds
  const earlier = await log.list(userId, perAccount)
  stage.advance(retentionMs)
  log.record(userId, { action: 'upload', files: 1, bytes: 5 })
  const atTheEnd = await log.list(userId, perAccount)
  stage.advance(1)

  expect([earlier.length, atTheEnd.length]).toEqual([100, 101])
  expect(await log.list(userId, perAccount)).toEqual([
    { action: 'upload', timestamp: stage.now() - 1, details: { files: 1, bytes: 5 } },
  ])
  await log.cleanupJob.run(new AbortController().signal)
  expect(await rows()).toHaveLength(1)
})

onBothDatabases('a user who is deleted meanwhile does not prevent the entries of others', async (stage) => {
  const { log, createUser, rows, lines } = start(stage)
  const [deletedId, userId] = [await createUser(), await createUser()]
  log.record(deletedId, { action: 'sign-in' })
  await log.list(deletedId, 1)
  log.record(deletedId, { action: 'upload', files: 1, bytes: 1 })
  log.record(userId, { action: 'upload', files: 1, bytes: 1 })
  await stage.db.deleteFrom('users').where('id', '=', deletedId).execute()
  expect(await rows()).toEqual([])

  await log.close()

  expect(await rows()).toEqual([expect.objectContaining({ user_id: userId, action: 'upload' })])
  expect(lines).toEqual([])
})

onBothDatabases('concurrent logs of two nodes add to the same entry', async (stage) => {
  const { log, createUser } = start(stage)
  const { log: otherLog } = start(stage)
  const userId = await createUser()
  log.record(userId, { action: 'delete', files: 1, bytes: 1 })
  await log.list(userId, 1)

  for (let count = 0; count < 20; count += 1) {
    log.record(userId, { action: 'delete', files: 1, bytes: 10 })
    otherLog.record(userId, { action: 'delete', files: 1, bytes: 100 })
    await Promise.all([log.list(userId, 1), otherLog.list(userId, 1)])
  }

  const entries = await log.list(userId, perAccount)
  expect(entries).toEqual([
    { action: 'delete', timestamp: stage.now(), details: { files: 41, bytes: 1 + 20 * 10 + 20 * 100 } },
  ])
})

test('entries beyond the limits of the buffer are dropped, and their number is logged once', async () => {
  const { log, stored, lines } = startWithStore()
  for (let count = 0; count < 1000; count += 1) log.record('busy', { action: 'sign-in' })
  for (let user = 0; user < pending; user += 1) log.record(`user ${user}`, { action: 'sign-in' })
  log.record('busy', { action: 'upload', files: 1, bytes: 1 })

  await log.close()

  expect(stored).toHaveLength(pending)
  expect(stored.filter((userId) => userId === 'busy')).toHaveLength(pendingPerAccount)
  const dropped = 1000 - pendingPerAccount + pendingPerAccount + 1
  expect(lines).toEqual([[{ entries: dropped }, 'too much activity at once; entries were dropped']])
})

test('entries that cannot be stored are logged, and later ones are stored', async () => {
  const { log, stored, lines, fail } = startWithStore()
  fail(true)
  log.record('mara', { action: 'sign-in' })
  await log.list('mara', 1)
  fail(false)
  log.record('mara', { action: 'upload', files: 1, bytes: 1 })

  await log.close()
  log.record('mara', { action: 'upload', files: 1, bytes: 1 })
  await log.close()

  expect(stored).toEqual(['mara'])
  expect(lines).toEqual([[{ err: expect.any(Error), entries: 1 }, 'activity could not be stored']])
})

test('entries are stored a second after the first one, in batches', async () => {
  const { log, stored, batches } = startWithStore()
  for (let user = 0; user < 250; user += 1) log.record(`user ${user}`, { action: 'sign-in' })
  expect(stored).toEqual([])

  await expect.poll(() => batches, { timeout: 10_000 }).toEqual([100, 100, 50])

  log.record('user 0', { action: 'sign-in' })
  await expect.poll(() => batches, { timeout: 10_000 }).toEqual([100, 100, 50, 1])
})

/** A log over the database of a test. */
function start({ db, now }: Stage) {
  const lines: unknown[] = []
  const write = (...line: unknown[]) => void lines.push(line)
  const log = createActivityLog({ store: createActivityStore(db), now, log: { warn: write, error: write } })
  return {
    log,
    lines,
    async createUser(): Promise<string> {
      const user = newUser({ identifier: null, confirmed: false, passwordHash: null, now: now() })
      await db.insertInto('users').values(user).execute()
      return user.id
    },
    rows: () => db.selectFrom('account_activity').selectAll().execute(),
  }
}

/** A log whose store can fail. */
function startWithStore() {
  const lines: unknown[] = []
  const stored: string[] = []
  const batches: number[] = []
  let isFailing = false
  const store: ActivityStore = {
    async insert(records) {
      if (isFailing) throw new Error('The disk is full')
      batches.push(records.length)
      stored.push(...records.map(({ userId }) => userId))
    },
    list: async () => [],
    removeExpired: async () => 0,
  }
  const write = (...line: unknown[]) => void lines.push(line)
  const log = createActivityLog({ store, now: Date.now, log: { warn: write, error: write } })
  return {
    log,
    lines,
    stored,
    batches,
    fail(value: boolean) {
      isFailing = value
    },
  }
}
