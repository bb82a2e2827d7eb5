import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../platform/db/open.ts'
import { startPostgres } from './postgres-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL from which tests request a database. */
    databaseServer: string
  }
}

const template = 'sallyport'

/**
 * Starts an HTTP server that creates PostgreSQL databases, each empty and with the newest schema, and counts the tests per
 * database. PostgreSQL starts with the first request, so that a run without such tests does not wait for it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const testCounts = { sqlite: 0, postgres: 0 }
  let postgres: ReturnType<typeof startMigratedPostgres> | undefined

  async function serve(path: string): Promise<string> {
    if (path === '/sqlite') {
      testCounts.sqlite += 1
      return ''
    }
    postgres ??= startMigratedPostgres()
    const { createDatabase } = await postgres
    testCounts.postgres += 1
    return createDatabase()
  }

  const databaseServer = createServer((request, response) => {
    serve(request.url ?? '').then(
      (answer) => response.end(answer),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  project.provide('databaseServer', `http://127.0.0.1:${await listen(databaseServer)}`)

  return async () => {
    databaseServer.close()
    databaseServer.closeAllConnections()
    await (await postgres)?.stop()
    if (testCounts.sqlite + testCounts.postgres === 0) return
    process.stdout.write(
      `Ran on real databases: ${testCounts.sqlite} on SQLite, ${testCounts.postgres} on PostgreSQL\n`,
    )
  }
}

/** Starts PostgreSQL with a template database that has the newest schema. */
async function startMigratedPostgres() {
  const { createDatabase, stop } = await startPostgres()
  const databaseUrl = await createDatabase(template)
  const blank = await openDatabase({ databaseUrl, folder: tmpdir(), onError: () => undefined })
  await blank.close()
  let count = 0
  return {
    createDatabase(): Promise<string> {
      count += 1
      return createDatabase(`test_${count}`, template)
    },
    stop,
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
