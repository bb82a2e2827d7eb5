import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from '@playwright/test'
import { createAccount } from '../support/account.ts'
import { prepareSealedUpload, Refused } from '../support/sealed-upload.ts'
import { type RunningServer, startServer } from '../support/server.ts'

const hasTracer = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

test('F05 a disk that does not keep a chunk fails the request, and is not believed when it says later that all is well', async () => {
  test.skip(!hasTracer, 'strace, which makes calls of a process fail, cannot be used here')
  const server = await startServer({ environment: { UV_USE_IO_URING: '0' } })
  const account = await createAccount(server.url)
  const upload = await prepareSealedUpload(account, 3)
  for (const index of [0, 1]) await upload.send(server.url, index)

  const cured = await failing(server, 'fdatasync')
  const chunk = await refusalOf(upload.send(server.url, 2))
  await cured()
  const afterChunk = await upload.missing(server.url)
  await upload.send(server.url, 2)

  const curedAgain = await failing(server, 'fsync')
  const completion = await refusalOf(upload.complete(server.url))
  await curedAgain()
  const believed = await refusalOf(upload.complete(server.url))
  const afterCompletion = await upload.missing(server.url)

  expect(chunk).toMatch(/^503: .*UNAVAILABLE/)
  expect(afterChunk).toEqual([2])
  expect(completion).toMatch(/^503: .*UNAVAILABLE/)
  expect(believed).toMatch(/^400: .*Missing chunks \[0, 1, 2\]/)
  expect(afterCompletion).toEqual([0, 1, 2])
  for (const index of [0, 1, 2]) await upload.send(server.url, index)
  const fileId = await upload.complete(server.url)
  const headers = { authorization: `Bearer ${account.accessToken}` }
  expect((await fetch(`${server.url}/api/download/${fileId}`, { headers })).status).toBe(200)
  await server.stop()
})

/** Lets every such call of the server fail with an error of input or output, until what is answered is called. */
async function failing({ pid }: RunningServer, call: string): Promise<() => Promise<void>> {
  const settings = ['-f', '-e', `trace=${call}`, '-e', `inject=${call}:error=EIO`, '-o', '/dev/null', '-p', String(pid)]
  const tracer: ChildProcess = spawn('strace', settings, { stdio: ['ignore', 'ignore', 'pipe'] })
  const told: string[] = []
  tracer.stderr?.on('data', (piece) => told.push(String(piece)))
  await expect.poll(() => told.join('')).toContain('attached')
  return async () => {
    tracer.kill('SIGINT')
    await once(tracer, 'exit')
  }
}

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'granted',
    (error: unknown) => {
      if (error instanceof Refused) return error.message
      throw error
    },
  )
