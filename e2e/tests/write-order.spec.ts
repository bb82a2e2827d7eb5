import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { type Account, createAccount } from '../support/account.ts'
import { prepareSealedUpload } from '../support/sealed-upload.ts'
import { startServer } from '../support/server.ts'

const traced = 'fsync,fdatasync,rename,renameat,renameat2,write,writev,pwrite64,sendto,sendmsg'
const hasTracer = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

test('F04 bytes, their name and the row that makes them a file reach the disk in this order, and only then the answer leaves', async ({
  browserName: _,
}, info) => {
  test.skip(!hasTracer, 'strace, which watches what a process asks of the system, cannot be used here')
  const trace = info.outputPath('trace.txt')
  const { dataFolder, account } = await aFolderWithAccount()
  // As a bystander, so that the server itself is the child and its signals reach it.
  const tracer = ['strace', '-D', '-f', '-y', '-s', '64', '-e', `trace=${traced}`, '-o', trace]
  const server = await startServer({ dataFolder, under: tracer, environment: { UV_USE_IO_URING: '0' } })
  const upload = await prepareSealedUpload(account, 2)

  for (const index of upload.chunks.keys()) await upload.send(server.url, index)
  const fileId = await upload.complete(server.url)
  await server.stop()
  // The tracer is nobody's child here and ends a moment after what it watched.
  await expect.poll(() => readFileSync(trace, 'utf8')).toMatch(/\+\+\+ exited with \d+ \+\+\+\s*$/)

  const calls = readTrace(trace)
  const at = (pattern: RegExp, from = 0) => {
    const place = calls.findIndex((call, index) => index >= from && pattern.test(call))
    expect(place, `${pattern} after line ${from} of\n${calls.join('\n')}`).toBeGreaterThanOrEqual(0)
    return place
  }
  for (const index of upload.chunks.keys()) {
    const renamed = at(new RegExp(`^rename\\(".*/incoming/[0-9a-f-]+", ".*/${fileId}/${index}"\\)`))
    const draft = /incoming\/[0-9a-f-]+/.exec(calls[renamed] ?? '')?.[0]
    expect(at(new RegExp(`^fdatasync\\(\\d+<.*/${draft}>\\) = 0`))).toBeLessThan(renamed)
  }
  const lastRenamed = calls.findLastIndex((call) => call.startsWith('rename(') && call.includes(fileId))
  const folderKept = at(new RegExp(`^fsync\\(\\d+<.*/${fileId}>\\) = 0`), lastRenamed)
  const branchKept = at(/^fsync\(\d+<.*\/volumes\/main\/[0-9a-f]{2}>\) = 0/, folderKept)
  const volumeKept = at(/^fsync\(\d+<.*\/volumes\/main>\) = 0/, branchKept)
  const written = at(/^pwrite64\(\d+<.*\/sallyport\.db-wal>/, volumeKept)
  const committed = at(/^(fsync|fdatasync)\(\d+<.*\/sallyport\.db-wal>\) = 0/, written)
  const answered = at(/^(write|writev|sendto|sendmsg)\(.*HTTP\/1\.1 200/, volumeKept)
  expect(committed).toBeLessThan(answered)
})

/** The account is made before the tracer looks. */
async function aFolderWithAccount(): Promise<{ dataFolder: string; account: Account }> {
  const server = await startServer()
  const account = await createAccount(server.url)
  await server.kill()
  return { dataFolder: server.dataFolder, account }
}

/** The calls in the order they came back, without thread numbers; a call that was broken off by another is put together. */
function readTrace(path: string): string[] {
  const begun = new Map<string, string>()
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
      const unfinished = /^(.*) <unfinished \.\.\.>$/.exec(text)?.[1]
      if (unfinished !== undefined) {
        begun.set(thread, unfinished)
        return []
      }
      const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)?.[1]
      const call = resumed === undefined ? text : `${begun.get(thread) ?? ''}${resumed}`
      return [call.replace(/\)\s+= /, ') = ')]
    })
}
