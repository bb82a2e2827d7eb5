import { connect, createServer } from 'node:net'
import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { useRedis } from './testing/engines/redis-server.ts'
import { startServerProcess } from './testing/servers/server-process.ts'
import { createTestFolder } from './testing/test-folder.ts'

const redis = useRedis()
const createDatabase = async () => (await fetch(`${inject('databaseServer')}/postgres`)).text()

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

  expect(before).not.toBeNull()
  await expect.poll(async () => [null, before].includes(await lockPid())).toBe(false)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('two servers share one data folder with Redis', async () => {
  const environment = { DATA_DIR: createTestFolder(), REDIS_URL: redis.url }
  const first = await startServerProcess(environment)
  const second = await startServerProcess(environment)

  expect([await first.stop(), await second.stop()]).toEqual([0, 0])
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
