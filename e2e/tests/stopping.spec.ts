import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { expect, test } from '@playwright/test'
import { createAccount } from '../support/account.ts'
import { prepareSealedUpload, type SealedUpload } from '../support/sealed-upload.ts'
import { type RunningServer, startServer } from '../support/server.ts'

const uploadsEach = 10
const people = 2
const chunkCount = 3

test('F12 a server that is asked to stop lets twenty chunks under way come in, takes nothing new, and loses nothing it acknowledged', async () => {
  test.setTimeout(120_000)
  const server = await startServer()
  const { dataFolder } = server
  const accounts = await Promise.all(Array.from({ length: people }, () => createAccount(server.url)))
  const uploads = await Promise.all(
    accounts.flatMap((account) => Array.from({ length: uploadsEach }, () => prepareSealedUpload(account, chunkCount))),
  )
  for (const upload of uploads) await upload.send(server.url, 0)
  const moving = await Promise.all(uploads.map((upload) => begin(server, upload, 1)))

  const asked = performance.now()
  server.askToStop()
  await expect.poll(() => isTaking(server)).toBe(false)
  const statuses = await Promise.all(moving.map((chunk) => chunk.finish()))
  const code = await server.ended

  expect(code).toBe(0)
  expect(performance.now() - asked).toBeLessThan(30_000)
  expect(new Set(statuses)).toEqual(new Set([200]))
  const later = await startServer({ dataFolder })
  for (const upload of uploads) {
    expect(await upload.missing(later.url)).toEqual([2])
    await upload.send(later.url, 2)
    await upload.complete(later.url)
  }
  await later.kill()
  rmSync(dataFolder, { recursive: true, force: true })
})

test('F13 who does not let the server stop is cut off after thirty seconds, or at once when it is asked again', async () => {
  test.setTimeout(120_000)
  const [patient, urgent] = await Promise.all([startServer(), startServer()])
  const stops = await Promise.all(
    [patient, urgent].map(async (server) => {
      const account = await createAccount(server.url)
      const [stored, hanging] = [await prepareSealedUpload(account, 1), await prepareSealedUpload(account, chunkCount)]
      await stored.send(server.url, 0)
      const fileId = await stored.complete(server.url)
      await hanging.send(server.url, 0)
      const chunk = await begin(server, hanging, 1)
      return { server, account, fileId, hanging, chunk }
    }),
  )

  const asked = performance.now()
  patient.askToStop()
  urgent.askToStop()
  await expect.poll(() => urgent.log()).toContain('stopping')
  urgent.askToStop()
  const urgentCode = await urgent.ended
  const urgentMs = performance.now() - asked
  const patientCode = await patient.ended
  const patientMs = performance.now() - asked

  expect([urgentCode, patientCode]).toEqual([1, 1])
  expect(urgentMs).toBeLessThan(10_000)
  expect(patientMs).toBeGreaterThan(29_000)
  expect(patientMs).toBeLessThan(35_000)
  for (const { server, account, fileId, hanging, chunk } of stops) {
    chunk.giveUp()
    const later = await startServer({ dataFolder: server.dataFolder })
    const headers = { authorization: `Bearer ${account.accessToken}` }
    const download = await fetch(`${later.url}/api/download/${fileId}`, { headers })
    expect(download.status).toBe(200)
    expect(await hanging.missing(later.url)).toEqual([1, 2])
    await later.stop()
  }
})

interface MovingChunk {
  finish(): Promise<number>
  giveUp(): void
}

/** Sends half of a chunk, and comes back when the server is reading it. */
async function begin(server: RunningServer, upload: SealedUpload, index: number): Promise<MovingChunk> {
  const { url, headers } = upload.requestFor(server.url, index)
  const bytes = upload.chunks[index] ?? Buffer.alloc(0)
  const sending: ClientRequest = request(url, {
    method: 'POST',
    headers: { ...headers, expect: '100-continue' },
    agent: false,
  })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => undefined)
  sending.on('error', () => undefined)
  sending.flushHeaders()
  await once(sending, 'continue')
  const half = bytes.length >> 1
  await new Promise<void>((resolve) => sending.write(bytes.subarray(0, half), () => resolve()))
  return {
    async finish() {
      sending.end(bytes.subarray(half))
      const [answer] = await answered
      answer.resume()
      return answer.statusCode ?? 0
    },
    giveUp: () => void sending.destroy(),
  }
}

const isTaking = ({ url }: RunningServer): Promise<boolean> =>
  fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  )
