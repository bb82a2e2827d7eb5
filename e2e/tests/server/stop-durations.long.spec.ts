import { expect, test } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { beginChunk } from '../../support/files/partial-chunk.ts'
import { prepareSealedUpload } from '../../support/files/sealed-upload.ts'
import { type ServerProcess, startServer } from '../../support/server/server.ts'

/** Starts a server with a client that blocks its stop. */
async function startBlockedServer() {
  const server = await startServer()
  const upload = await prepareSealedUpload(await createAccount(server.url), 3)
  await upload.send(server.url, 0)
  const chunk = await beginChunk(server, upload, 1)
  return { server, chunk }
}

async function measureStop(server: ServerProcess, signals: 1 | 2): Promise<number> {
  const startedAt = performance.now()
  server.requestStop()
  if (signals === 2) {
    await expect.poll(() => server.log()).toContain('stopping')
    server.requestStop()
  }
  await server.ended
  return performance.now() - startedAt
}

test('F13 a client delays a stop by at most 31 seconds, and by at most 10 seconds after a second signal', async () => {
  const [waiting, urged] = await Promise.all([startBlockedServer(), startBlockedServer()])

  const [waitingMs, urgedMs] = await Promise.all([measureStop(waiting.server, 1), measureStop(urged.server, 2)])

  expect(urgedMs).toBeLessThan(10_000)
  expect(waitingMs).toBeLessThan(31_000)
  for (const { server, chunk } of [waiting, urged]) {
    chunk.abort()
    await server.stop()
  }
})
