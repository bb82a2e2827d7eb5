import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { type Account, createAccount } from '../../support/account/account.ts'
import { prepareSealedUpload } from '../../support/files/sealed-upload.ts'
import { startServer } from '../../support/server/server.ts'

const tracedCalls = 'fsync,fdatasync,rename,renameat,renameat2,write,writev,pwrite64,sendto,sendmsg'
const isStraceAvailable = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

test('F04 bytes, rename and database row reach the disk in this order, and only then the response is sent', async ({
  browserName: _,
}, info) => {
  test.skip(!isStraceAvailable, 'strace, which records system calls, cannot be used here')
  const trace = info.outputPath('trace.txt')
  const { dataFolder, account } = await createDataFolder()
  // Runs strace as a detached grandchild, so that the server itself is the child and receives signals.
  const tracer = ['strace', '-D', '-f', '-y', '-s', '64', '-e', `trace=${tracedCalls}`, '-o', trace]
  const server = await startServer({ dataFolder, commandPrefix: tracer, environment: { UV_USE_IO_URING: '0' } })
  const upload = await prepareSealedUpload(account, 2)

  for (const index of upload.chunks.keys()) await upload.send(server.url, index)
  const fileId = await upload.complete(server.url)
  await server.stop()
  // The detached tracer exits a moment after the server.
  await expect.poll(() => readFileSync(trace, 'utf8')).toMatch(/\+\+\+ exited with \d+ \+\+\+\s*$/)

  const calls = readTrace(trace)
  const findCall = (pattern: RegExp, from = 0) => {
    const foundIndex = calls.findIndex((call, index) => index >= from && pattern.test(call))
    expect(foundIndex, `${pattern} after line ${from} of\n${calls.join('\n')}`).toBeGreaterThanOrEqual(0)
    return foundIndex
  }
  for (const index of upload.chunks.keys()) {
    const renamed = findCall(new RegExp(`^rename\\(".*/incoming/[0-9a-f-]+", ".*/${fileId}/${index}"\\)`))
    const draft = /incoming\/[0-9a-f-]+/.exec(calls[renamed] ?? '')?.[0]
    expect(findCall(new RegExp(`^fdatasync\\(\\d+<.*/${draft}>\\) = 0`))).toBeLessThan(renamed)
  }
  const lastRenamed = calls.findLastIndex((call) => call.startsWith('rename(') && call.includes(fileId))
  const folderSynced = findCall(new RegExp(`^fsync\\(\\d+<.*/${fileId}>\\) = 0`), lastRenamed)
  const parentSynced = findCall(/^fsync\(\d+<.*\/volumes\/main\/[0-9a-f]{2}>\) = 0/, folderSynced)
  const volumeSynced = findCall(/^fsync\(\d+<.*\/volumes\/main>\) = 0/, parentSynced)
  const written = findCall(/^pwrite64\(\d+<.*\/sallyport\.db-wal>/, volumeSynced)
  const committed = findCall(/^(fsync|fdatasync)\(\d+<.*\/sallyport\.db-wal>\) = 0/, written)
  const answered = findCall(/^(write|writev|sendto|sendmsg)\(.*HTTP\/1\.1 200/, volumeSynced)
  expect(committed).toBeLessThan(answered)
})

/** Creates the account before tracing starts. */
async function createDataFolder(): Promise<{ dataFolder: string; account: Account }> {
  const server = await startServer()
  const account = await createAccount(server.url)
  await server.kill()
  return { dataFolder: server.dataFolder, account }
}

/** The calls in order of completion, without thread numbers; interrupted calls are joined. */
function readTrace(path: string): string[] {
  const unfinishedCalls = new Map<string, string>()
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
      const unfinished = /^(.*) <unfinished \.\.\.>$/.exec(text)?.[1]
      if (unfinished !== undefined) {
        unfinishedCalls.set(thread, unfinished)
        return []
      }
      const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1]
      const call = resumed === undefined ? text : `${unfinishedCalls.get(thread) ?? ''}${resumed}`
      return [call.replace(/\)\s+= /, ') = ')]
    })
}
