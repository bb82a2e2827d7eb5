import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../db/open.ts'
import { startPostgres } from './postgres-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests fetch a database of their own. */
    databaseDesk: string
  }
}

const template = 'sallyport'

/**
 * Starts a desk that hands out PostgreSQL databases, each empty and with the newest schema, and counts what ran where.
 * The PostgreSQL behind it starts with the first test that asks, so that a run without one does not wait for it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ran = { sqlite: 0, postgres: 0 }
  let postgres: ReturnType<typeof startMigratedPostgres> | undefined

  async function serve(path: string): Promise<string> {
    if (path === '/sqlite') {
      ran.sqlite += 1
      return ''
    }
    postgres ??= startMigratedPostgres()
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

/** A PostgreSQL whose databases come with the newest schema. */
async function startMigratedPostgres() {
  const { createDatabase, stop } = await startPostgres()
  const databaseUrl = await createDatabase(template)
  const blank = await openDatabase({ databaseUrl, folder: tmpdir(), onError: () => undefined })
  await blank.close()
  let made = 0
  return {
    createDatabase(): Promise<string> {
      made += 1
      return createDatabase(`test_${made}`, template)
    },
    stop,
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
