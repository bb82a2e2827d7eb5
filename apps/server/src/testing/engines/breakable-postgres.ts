import { inject } from 'vitest'
import { startBreakableProxy } from './breakable-proxy.ts'

/** Creates a PostgreSQL database behind a proxy that can be disconnected and reconnected. */
export async function startBreakablePostgres() {
  const database = new URL(await (await fetch(`${inject('databaseServer')}/postgres`)).text())
  const { port, disconnect, reconnect } = await startBreakableProxy({
    port: Number(database.port),
    host: database.hostname,
  })
  database.port = String(port)
  return { url: database.href, disconnect, reconnect }
}
