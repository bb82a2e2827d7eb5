import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { sealFile } from './testing/clients/sealed-file.ts'
import { useRedis } from './testing/engines/redis-server.ts'
import { randomCredential, randomEmail } from './testing/servers/account-server.ts'
import { startServerProcess } from './testing/servers/server-process.ts'
import { startWholeServer } from './testing/servers/whole-server.ts'
import { createTestFolder } from './testing/test-folder.ts'

const redis = useRedis()

const root = fileURLToPath(new URL('../../..', import.meta.url))
const createDatabase = async () => (await fetch(`${inject('databaseServer')}/postgres`)).text()

async function register(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: randomEmail(), password: randomCredential() })
  const answer = await fetch(`${url}/api/register`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
}

/** Makes the database look like one from before fingerprints were stored. */
function forgetFingerprints(folder: string): void {
  const database = new DatabaseSync(join(folder, 'sallyport.db'))
  database.exec('delete from secret_fingerprints')
  database.close()
}

test('a start with other secrets is refused and names the file; the right ones start again', async () => {
  const folder = createTestFolder()
  const first = await startServerProcess({ DATA_DIR: folder })
  await first.stop()
  const key = join(folder, 'secrets', 'salt.key')
  const moved = `${key}.moved`
  renameSync(key, moved)
  writeFileSync(key, randomBytes(32), { mode: 0o600 })

  await expect(startServerProcess({ DATA_DIR: folder })).rejects.toThrow(/belongs to other secrets: salt\.key in /)
  renameSync(moved, key)

  expect(await (await startServerProcess({ DATA_DIR: folder })).stop()).toBe(0)
})

test('a database with accounts refuses a start without its secrets, and none is created in their place', async () => {
  const folder = createTestFolder()
  const first = await startServerProcess({ DATA_DIR: folder })
  await register(first.url)
  await first.stop()
  const secrets = join(folder, 'secrets')
  renameSync(secrets, `${secrets}.moved`)
  const files = /pin\.key, post\.key, provider\.key, salt\.key, session\.key, share\.key is missing in /

  await expect(startServerProcess({ DATA_DIR: folder })).rejects.toThrow(files)
  await expect(startServerProcess({ DATA_DIR: folder })).rejects.toThrow(files)
  forgetFingerprints(folder)
  await expect(startServerProcess({ DATA_DIR: folder })).rejects.toThrow(/salt\.key, share\.key, .* is missing in /)

  expect(readdirSync(secrets)).toEqual([])
})

test('a second server on one data folder is refused until the first has ended, even by kill -9', async () => {
  const folder = createTestFolder()
  const first = await startServerProcess({ DATA_DIR: folder })

  await expect(startServerProcess({ DATA_DIR: folder })).rejects.toThrow(
    `Another server uses the data folder ${folder}. Stop it first.`,
  )
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  await first.kill()

  const next = await startServerProcess({ DATA_DIR: folder })
  expect(await next.stop()).toBe(0)
  expect(await (await startServerProcess({ DATA_DIR: folder })).stop()).toBe(0)
})

test('a second server on one PostgreSQL is refused until the first has ended, even by kill -9', async () => {
  const environment = { DATA_DIR: createTestFolder(), DATABASE_URL: await createDatabase() }
  const first = await startServerProcess(environment)

  await expect(startServerProcess(environment)).rejects.toThrow('Another server uses the database of DATABASE_URL.')
  await first.kill()

  const next = await startServerProcess(environment)
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200)
  expect(await next.stop()).toBe(0)
})

test('a server acquires the lock of PostgreSQL again after its connection was lost', async () => {
  const DATABASE_URL = await createDatabase()
  const server = await startServerProcess({ DATA_DIR: createTestFolder(), DATABASE_URL })
  const client = new Client({ connectionString: DATABASE_URL })
  await client.connect()
  onTestFinished(() => client.end())
  const ofLocks = `from pg_locks where locktype = 'advisory' and granted
    and database = (select oid from pg_database where datname = current_database())`
  const lockPid = async () => (await client.query(`select pid ${ofLocks}`)).rows[0]?.pid ?? null
  const before = await lockPid()

  await client.query(`select pg_terminate_backend(pid) ${ofLocks}`)

  await expect.poll(lockPid).not.toBeNull()
  expect(before).not.toBeNull()
  expect(await lockPid()).not.toBe(before)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('two servers share one data folder with Redis', async () => {
  const environment = { DATA_DIR: createTestFolder(), REDIS_URL: redis.url }
  const first = await startServerProcess(environment)
  const second = await startServerProcess(environment)

  expect([await first.stop(), await second.stop()]).toEqual([0, 0])
})

test('a server whose volume is not mounted says so and is not ready, until it is mounted', async () => {
  const folder = createTestFolder()
  const volume = join(folder, 'disk')
  const first = await startWholeServer({ DATA_DIR: folder, VOLUMES: volume })
  const { accessToken } = await first.createMember()
  await first.store(accessToken, await sealFile({ plainBytes: 10 }))
  await first.stop()
  const id = readFileSync(join(volume, 'volume-id'), 'utf8')
  renameSync(volume, `${volume}.moved`)

  const without = await startServerProcess({ DATA_DIR: folder, VOLUMES: volume })
  const statuses = [(await fetch(`${without.url}/readyz`)).status, (await fetch(`${without.url}/healthz`)).status]
  await without.stop()
  rmSync(volume, { recursive: true })
  renameSync(`${volume}.moved`, volume)
  const mounted = await startServerProcess({ DATA_DIR: folder, VOLUMES: volume })

  expect(statuses).toEqual([503, 200])
  expect(without.log()).toContain(`"volumes":["${id}"]`)
  expect(without.log()).toContain('check VOLUMES and whether the disks are mounted')
  expect((await fetch(`${mounted.url}/readyz`)).status).toBe(200)
})

test('a second node with other secrets does not start on the database of the first', async () => {
  const DATABASE_URL = await createDatabase()
  await startServerProcess({ DATA_DIR: createTestFolder(), DATABASE_URL })

  await expect(startServerProcess({ DATA_DIR: createTestFolder(), DATABASE_URL })).rejects.toThrow(
    /belongs to other secrets: salt\.key, share\.key, .* with several nodes, give each the same files/,
  )
})

test('a server waits for a PostgreSQL that starts later', async () => {
  const url = new URL(await createDatabase())
  const proxy = createServer((socket) => {
    const upstream = connect(Number(url.port), url.hostname)
    socket.pipe(upstream).pipe(socket)
    for (const end of [socket, upstream]) end.on('error', () => socket.destroy())
  })
  onTestFinished(() => void proxy.close())
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
  const DATABASE_URL = Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href

  const server = await startServerProcess({ DATA_DIR: createTestFolder(), DATABASE_URL }, (log) => {
    if (log.includes('waiting for a service to start') && !proxy.listening) proxy.listen(port, '127.0.0.1')
  })

  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(server.log()).toContain('waiting for a service to start')
})

test('a stopping server is not ready but serves until a slow response has ended, and exits with 0', async () => {
  const server = await startServerProcess({ DATA_DIR: createTestFolder() })
  const body = JSON.stringify({ email: 'mara@example.org' })
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const slow = request(`${server.url}/api/auth/prelogin`, { method: 'POST', headers })
  slow.write(body.slice(0, 5))
  const answered = new Promise<number | undefined>((resolve) =>
    slow.once('response', ({ statusCode }) => resolve(statusCode)),
  )
  await wait(200)

  const stopped = server.stop()
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503)
  expect((await fetch(`${server.url}/api/config`)).status).toBe(200)
  slow.end(body.slice(5))

  expect(await answered).toBe(200)
  expect(await stopped).toBe(0)
})

test('npm run admin installs nothing, and refuses to work on a data folder without a database', () => {
  const clone = createTestFolder()
  for (const path of ['node_modules', 'apps', 'packages', 'tools']) symlinkSync(join(root, path), join(clone, path))
  rmSync(join(clone, 'tools'))
  mkdirSync(join(clone, 'tools'))
  for (const path of ['tools/run.mjs', 'tools/bootstrap.mjs', 'package.json'])
    spawnSync('cp', [join(root, path), join(clone, path)])
  // Another lockfile than the one that the packages were installed for.
  writeFileSync(join(clone, 'package-lock.json'), '{}')
  const run = (...args: string[]) =>
    spawnSync('npm', ['run', '--silent', 'admin', '--', ...args], {
      cwd: clone,
      encoding: 'utf8',
      env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, DATA_DIR: join(clone, 'data') },
    })

  const help = run('help')
  const elsewhere = run('licence', 'mara@example.org', 'personal')

  expect([help.status, help.stdout]).toEqual([0, expect.stringContaining('magic-link')])
  expect(help.stdout + help.stderr).not.toContain('Installing')
  expect([elsewhere.status, elsewhere.stderr]).toEqual([1, expect.stringContaining('There is no database in')])
})
