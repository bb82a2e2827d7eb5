import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { ApiError, prepareSealedUpload } from '../../support/files/sealed-upload.ts'
import { type ServerProcess, startServer } from '../../support/server/server.ts'

const isStraceAvailable = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

test('F05 a failed fsync fails the request and is not trusted when a later one succeeds', async () => {
  test.skip(!isStraceAvailable, 'strace, which injects the errors, cannot be used here')
  const server = await startServer({ environment: { UV_USE_IO_URING: '0' } })
  const account = await createAccount(server.url)
  const upload = await prepareSealedUpload(account, 3)
  for (const index of [0, 1]) await upload.send(server.url, index)

  const stopFailure = await injectFailure(server, 'fdatasync')
  const chunk = await errorOf(upload.send(server.url, 2))
  await stopFailure()
  const afterChunk = await upload.missingChunks(server.url)
  await upload.send(server.url, 2)

  const stopSecondFailure = await injectFailure(server, 'fsync')
  const completion = await errorOf(upload.complete(server.url))
  await stopSecondFailure()
  const retriedCompletion = await errorOf(upload.complete(server.url))
  const afterCompletion = await upload.missingChunks(server.url)

  expect(chunk).toMatch(/^503: .*UNAVAILABLE/)
  expect(afterChunk).toEqual([2])
  expect(completion).toMatch(/^503: .*UNAVAILABLE/)
  expect(retriedCompletion).toMatch(/^400: .*Missing chunks \[0, 1, 2\]/)
  expect(afterCompletion).toEqual([0, 1, 2])
  for (const index of [0, 1, 2]) await upload.send(server.url, index)
  const fileId = await upload.complete(server.url)
  const headers = { authorization: `Bearer ${account.accessToken}` }
  expect((await fetch(`${server.url}/api/download/${fileId}`, { headers })).status).toBe(200)
  await server.stop()
})

/** Makes every such system call of the server fail with EIO until the returned function is called. */
async function injectFailure({ pid }: ServerProcess, call: string): Promise<() => Promise<void>> {
  const args = ['-f', '-e', `trace=${call}`, '-e', `inject=${call}:error=EIO`, '-o', '/dev/null', '-p', String(pid)]
  const strace: ChildProcess = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const output: string[] = []
  strace.stderr?.on('data', (piece) => output.push(String(piece)))
  await expect.poll(() => output.join('')).toContain('attached')
  return async () => {
    strace.kill('SIGINT')
    await once(strace, 'exit')
  }
}

const errorOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'granted',
    (error: unknown) => {
      if (error instanceof ApiError) return error.message
      throw error
    },
  )
