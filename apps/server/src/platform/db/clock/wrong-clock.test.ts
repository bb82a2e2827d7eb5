import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { sealFile } from '../../../testing/clients/sealed-file.ts'
import { createSealedMessage } from '../../../testing/clients/sealed-message.ts'
import { onBothDatabases, type Stage } from '../../../testing/engines/databases.ts'
import { runAdminProcess } from '../../../testing/servers/admin-command.ts'
import { startServerProcess } from '../../../testing/servers/server-process.ts'

const day = 24 * 3_600_000
const preload = fileURLToPath(new URL('../../../testing/servers/wrong-clock.ts', import.meta.url))
const jumped = 'the clock was set; nothing is deleted'
const back = 'the clock is right again'

for (const [change, days] of [
  ['ahead', 30],
  ['back', -30],
] as const)
  onBothDatabases(`T152 a clock that is set 30 days ${change} erases nothing, also across a start`, async (stage) => {
    const clock = await createWrongClock(stage)
    const first = await clock.start()
    const member = await signUp(first.url)
    await member.fill(first.url)
    const before = await contents(stage)

    await clock.set(days * day)
    await expect.poll(first.log).toContain(jumped)
    await clock.waitForSweeps()
    expect(await contents(stage)).toEqual(before)

    await first.kill()
    const second = await clock.start()
    await expect.poll(second.log).toContain(jumped)
    // Ahead the trial has ended, so that nothing can be stored.
    const late = days < 0 ? [await member.upload(second.url)] : []
    await clock.waitForSweeps()
    expect((await contents(stage)).files).toEqual([...before.files, ...late].toSorted())

    await clock.set(0)
    await expect.poll(second.log).toContain(back)
    await clock.waitForSweeps()
    expect(await contents(stage)).toMatchObject({ messages: before.messages, sessions: before.sessions })
    for (const id of [...before.files, ...late]) expect(await member.download(second.url, id)).toBe(200)

    await stage.db.updateTable('files').set({ expires_at: 1 }).where('id', 'in', before.files).execute()
    await expect.poll(async () => (await contents(stage)).files).toEqual(late)
  })

onBothDatabases('T152 what has expired is erased once the operator confirms the time', async (stage) => {
  const clock = await createWrongClock(stage)
  const server = await clock.start()
  const member = await signUp(server.url)
  await member.fill(server.url)
  await clock.set(30 * day)
  await expect.poll(server.log).toContain(jumped)

  const confirmed = await runAdminProcess({ ...clock.environment, PUBLIC_URL: server.url }, 'confirm-clock')

  expect(confirmed.stdout).toContain(new Date(Date.now() + 30 * day).toISOString().slice(0, 10))
  await expect.poll(() => contents(stage)).toEqual({ files: [], objects: [], messages: 0, sessions: 0 })
  const rows = await stage.db.selectFrom('admin_audit').select(['action', 'outcome']).execute()
  expect(rows).toEqual([{ action: 'clock.confirm', outcome: 'done' }])
})

/** Servers over the database and the folder of a test, with a clock that the test sets. */
async function createWrongClock({ db, folder, databaseUrl }: Stage) {
  const path = join(folder, 'clock-ahead')
  writeFileSync(path, '0')
  if (databaseUrl !== undefined) {
    await sql`create table wrong_clock (ahead_ms bigint not null)`.execute(db)
    await sql`insert into wrong_clock values (0)`.execute(db)
    await sql`
      create function public.clock_timestamp() returns timestamptz language sql as $$
        select pg_catalog.clock_timestamp() + (select ahead_ms from public.wrong_clock) * interval '1 millisecond'
      $$
    `.execute(db)
    const name = sql.id(new URL(databaseUrl).pathname.slice(1))
    await sql`alter database ${name} set search_path = public, pg_catalog`.execute(db)
  }
  const environment = {
    DATA_DIR: folder,
    NODE_OPTIONS: `--import ${preload}`,
    TEST_CLOCK_FILE: path,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
  return {
    environment,
    start: () => startServerProcess(environment),
    async set(aheadMs: number) {
      if (databaseUrl !== undefined) await sql`update wrong_clock set ahead_ms = ${aheadMs}`.execute(db)
      writeFileSync(path, String(aheadMs))
    },
    /** Sweeps run every 300 ms, because the server's waits are shortened. */
    waitForSweeps: () => new Promise((resolve) => setTimeout(resolve, 1500)),
  }
}

/** What is stored, and the folders of sealed bytes on the disk. */
async function contents({ db, folder }: Stage) {
  const [files, messages, sessions] = await Promise.all([
    db.selectFrom('files').select('id').orderBy('id').execute(),
    db.selectFrom('messages').select('id').execute(),
    db.selectFrom('sessions').select('id').execute(),
  ])
  const ids = files.map(({ id }) => id)
  const volume = join(folder, 'volumes', 'main')
  const objects = existsSync(volume)
    ? readdirSync(volume, { recursive: true, encoding: 'utf8' }).filter((name) => /[0-9a-f-]{36}$/.test(name))
    : []
  return { files: ids, objects: objects.toSorted(), messages: messages.length, sessions: sessions.length }
}

async function signUp(url: string) {
  const credentials = {
    email: `${randomBytes(6).toString('hex')}@example.org`,
    password: `Zk2.${randomBytes(32).toString('base64url')}`,
  }
  const send = async (path: string, body: object, headers = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } }
    const answer = await fetch(path, { ...init, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { session: { access_token: string }; user: { id: string } }
  }
  /** Signs in again: with a wrong clock the sign-in before has ended. */
  async function bearer(server: string) {
    const { session, user } = await send(`${server}/api/login`, credentials)
    return { headers: { authorization: `Bearer ${session.access_token}` }, userId: user.id }
  }
  async function upload(server: string): Promise<string> {
    const { headers } = await bearer(server)
    const file = await sealFile({ plainBytes: 1000 })
    const answer = await fetch(`${server}/api/upload`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/octet-stream',
        'x-file-name': file.name,
        'x-encrypted-file-key': file.envelope,
      },
      body: new Uint8Array(file.sealed),
    })
    if (!answer.ok) throw new Error(`upload: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { id: string }).id
  }

  await send(`${url}/api/register`, credentials)
  return {
    upload,
    /** Stores a file, a message and a session. */
    async fill(server: string) {
      const { headers, userId } = await bearer(server)
      await upload(server)
      await send(`${server}/api/messages`, await createSealedMessage({ contextId: userId }), headers)
      await send(`${server}/api/sessions`, { session_pin: '318204' }, headers)
    },
    async download(server: string, id: string): Promise<number> {
      const { headers } = await bearer(server)
      const answer = await fetch(`${server}/api/download/${id}`, { headers })
      await answer.arrayBuffer()
      return answer.status
    },
  }
}
