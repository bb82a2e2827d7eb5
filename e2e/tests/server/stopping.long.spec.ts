import { rmSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { beginChunk } from '../../support/files/partial-chunk.ts'
import { prepareSealedUpload } from '../../support/files/sealed-upload.ts'
import { type RunningServer, startServer } from '../../support/server/server.ts'

const uploadsEach = 10
const userCount = 2
const chunkCount = 3

test('F12 a stopping server is not ready, finishes 20 chunks in progress and loses nothing acknowledged', async () => {
  const server = await startServer()
  const { dataFolder } = server
  const accounts = await Promise.all(Array.from({ length: userCount }, () => createAccount(server.url)))
  const uploads = await Promise.all(
    accounts.flatMap((account) => Array.from({ length: uploadsEach }, () => prepareSealedUpload(account, chunkCount))),
  )
  for (const upload of uploads) await upload.send(server.url, 0)
  const partialChunks = await Promise.all(uploads.map((upload) => beginChunk(server, upload, 1)))

  server.requestStop()
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503)
  const statuses = await Promise.all(partialChunks.map((chunk) => chunk.finish()))
  const code = await server.ended
  expect(await isAccepting(server)).toBe(false)

  expect(code, 'not 1, as when the clients are disconnected after 30 seconds').toBe(0)
  expect(new Set(statuses)).toEqual(new Set([200]))
  const restarted = await startServer({ dataFolder })
  for (const upload of uploads) {
    expect(await upload.missingChunks(restarted.url)).toEqual([2])
    await upload.send(restarted.url, 2)
    await upload.complete(restarted.url)
  }
  await restarted.kill()
  rmSync(dataFolder, { recursive: true, force: true })
})

test('F13 a client that blocks a stop is disconnected after 25 seconds, or earlier on a second signal', async () => {
  const [waitingServer, urgedServer] = await Promise.all([startServer(), startServer()])
  const scenarios = await Promise.all(
    [waitingServer, urgedServer].map(async (server) => {
      const account = await createAccount(server.url)
      const [stored, stalledUpload] = [
        await prepareSealedUpload(account, 1),
        await prepareSealedUpload(account, chunkCount),
      ]
      await stored.send(server.url, 0)
      const fileId = await stored.complete(server.url)
      await stalledUpload.send(server.url, 0)
      const chunk = await beginChunk(server, stalledUpload, 1)
      return { server, account, fileId, stalledUpload, chunk }
    }),
  )

  const stopRequestedAt = performance.now()
  waitingServer.requestStop()
  urgedServer.requestStop()
  await expect.poll(() => urgedServer.log()).toContain('stopping')
  urgedServer.requestStop()
  const firstEnded = await Promise.race([
    urgedServer.ended.then(() => 'urged'),
    waitingServer.ended.then(() => 'waiting'),
  ])
  const urgedExitCode = await urgedServer.ended
  const waitingExitCode = await waitingServer.ended
  const waitingMs = performance.now() - stopRequestedAt

  expect([urgedExitCode, waitingExitCode]).toEqual([1, 0])
  expect(waitingServer.log()).toContain('requests were cut off by the stop')
  expect(firstEnded).toBe('urged')
  expect(waitingMs).toBeGreaterThan(24_000)
  for (const { server, account, fileId, stalledUpload, chunk } of scenarios) {
    chunk.abort()
    const restarted = await startServer({ dataFolder: server.dataFolder })
    const headers = { authorization: `Bearer ${account.accessToken}` }
    const download = await fetch(`${restarted.url}/api/download/${fileId}`, { headers })
    expect(download.status).toBe(200)
    expect(await stalledUpload.missingChunks(restarted.url)).toEqual([1, 2])
    await restarted.stop()
  }
})

const isAccepting = ({ url }: RunningServer): Promise<boolean> =>
  fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  )
