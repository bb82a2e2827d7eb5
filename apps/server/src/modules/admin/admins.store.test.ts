import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../platform/db/open.ts'
import type { Database } from '../../platform/db/schema.ts'
import { onBothDatabases, type Stage } from '../../testing/engines/databases.ts'
import { newUser } from '../auth/users/new-user.ts'
import { createAdminsStore } from './admins.store.ts'
import { createAuditStore } from './audit/audit.store.ts'

interface TestAdmin {
  readonly confirmed?: boolean
  readonly bannedUntil?: number | null
  readonly deletedAt?: number | null
}

async function addAdmin(
  { db, now }: Stage,
  { bannedUntil = null, deletedAt = null, confirmed = true }: TestAdmin = {},
): Promise<string> {
  const user = newUser({
    identifier: { email: `${randomUUID()}@example.org` },
    confirmed,
    passwordHash: null,
    now: now(),
  })
  await db
    .insertInto('users')
    .values({ ...user, banned_until: bannedUntil, deleted_at: deletedAt })
    .execute()
  await createAuditStore(db).transaction((transaction) => createAdminsStore(db).add(user.id, now(), transaction))
  return user.id
}

const demote = (db: Database, userId: string, now: number) =>
  createAuditStore(db).transaction((transaction) => createAdminsStore(db).remove(userId, now, transaction))

const adminsOf = async ({ db }: Stage): Promise<string[]> =>
  (await db.selectFrom('admins').select('user_id').execute()).map(({ user_id }) => user_id)

/** Two admins demote each other on two connections; returns the outcomes and how many admins are left. */
async function demoteEachOther(stage: Stage, connections: readonly OpenDatabase[]) {
  const ids = [await addAdmin(stage), await addAdmin(stage)]
  const demotions = connections.map(({ db }, index) => demote(db, ids[index] ?? '', stage.now()))
  const outcomes = (await Promise.all(demotions)).sort()
  const left = await adminsOf(stage)
  await stage.db.deleteFrom('admins').execute()
  return [...outcomes, left.length]
}

onBothDatabases('T229 of two admins who demote each other at the same time exactly one stays', async (stage) => {
  const rounds: (string | number)[][] = []

  // SQLite gives up on a connection that has been busy for 5 seconds without a pause, so each has few rounds.
  for (let pair = 0; pair < 5; pair++) {
    const options = { ...stage, onError: () => undefined }
    const connections = [await openDatabase(options), await openDatabase(options)]
    for (let round = 0; round < 10; round++) rounds.push(await demoteEachOther(stage, connections))
    for (const { close } of connections) await close()
  }

  expect(rounds).toEqual(Array(50).fill(['last', 'removed', 1]))
})

onBothDatabases('T229 of 6 admins who are all demoted at the same time one stays', async (stage) => {
  const ids: string[] = []
  for (let admin = 0; admin < 6; admin++) ids.push(await addAdmin(stage))

  const outcomes = await Promise.all(ids.map((id) => demote(stage.db, id, stage.now())))

  expect(outcomes.filter((outcome) => outcome === 'last')).toHaveLength(1)
  expect(await adminsOf(stage)).toEqual([ids[outcomes.indexOf('last')]])
})

onBothDatabases(
  'T229 an admin who is banned, deleted or not confirmed does not count as another admin',
  async (stage) => {
    const { db, now, advance } = stage
    const only = await addAdmin(stage)
    const banned = await addAdmin(stage, { bannedUntil: now() + 1000 })
    await addAdmin(stage, { deletedAt: now() - 1000 })
    await addAdmin(stage, { confirmed: false })
    const store = createAdminsStore(db)
    const ban = () => store.ban({ actorId: only, userId: only, until: now() + 1, now: now() })

    expect(await demote(db, only, now())).toBe('last')
    expect(await ban()).toBe('last')
    expect(await store.removeBeforeDeletion(only, now())).toBe('last')
    expect(await demote(db, randomUUID(), now())).toBe('none')
    advance(1000)
    expect(await store.hasOther(only, now())).toBe(true)
    expect(await demote(db, only, now())).toBe('removed')
    expect(await adminsOf(stage)).toContain(banned)
  },
)
