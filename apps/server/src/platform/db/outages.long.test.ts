import { expect, test } from 'vitest'
import { callsOf } from '../../testing/clients/outage-calls.ts'
import { sealFile } from '../../testing/clients/sealed-file.ts'
import { startBreakablePostgres } from '../../testing/engines/breakable-postgres.ts'
import { createLargeFolder } from '../../testing/servers/large-folder.ts'
import { startWholeServer } from '../../testing/servers/whole-server.ts'
import { startStopwatch } from '../../testing/stopwatch.ts'

test('F15 while PostgreSQL is down every endpoint responds with 503 at once', async () => {
  const database = await startBreakablePostgres()
  const server = await startWholeServer({ DATABASE_URL: database.url })
  const { accessToken } = await server.createMember()
  const file = await sealFile({ plainBytes: 10 })

  await database.disconnect()
  for (const call of callsOf(server, { accessToken, file })) {
    const elapsed = await startStopwatch()
    const answer = await call()
    await answer.text()
    expect(answer.status).toBe(503)
    expect(elapsed()).toBeLessThan(2000)
  }
  await database.reconnect()
  await server.stop()
})

test('F14 a server with 100,000 files is ready within 10 seconds', async () => {
  const folder = await createLargeFolder()

  const elapsed = await startStopwatch()
  const server = await startWholeServer({ DATA_DIR: folder.path })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(elapsed()).toBeLessThan(10_000)

  await server.stop()
})
