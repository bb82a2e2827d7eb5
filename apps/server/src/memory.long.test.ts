import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const entry = join(import.meta.dirname, 'main.ts')
/** More than there are threads in the pool. */
const loginAttempts = 24

/** Starts the server like an operator does; resolves to its URL and process id. */
async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-memory-'))
  const { PATH } = process.env
  const environment = { PATH, DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1' }
  const child = spawn(process.execPath, [entry], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const url = await new Promise<string>((resolve, reject) => {
    let written = ''
    child.stdout.on('data', (piece) => {
      written += piece
      const found = /"url":"(http:[^"]+)"/.exec(written)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`The server exited:\n${written}`)))
    setTimeout(() => reject(new Error(`The server did not start:\n${written}`)), 50_000).unref()
  })
  return { url, processId: child.pid ?? 0 }
}

async function signInAsUnknownUser(url: string): Promise<number> {
  const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: 'sallyport', 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${crypto.randomUUID()}@example.org`, password: `Zk2.${'x'.repeat(43)}` }),
  })
  await response.arrayBuffer()
  return response.status
}

const anonymousMegabytes = (processId: number): number =>
  Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1]) / 1024

test.runIf(process.platform === 'linux')('memory of slow password hashes is freed on every thread', async () => {
  const { url, processId } = await startServer()
  const statuses = [await signInAsUnknownUser(url)]
  const before = anonymousMegabytes(processId)

  for (let at = 0; at < loginAttempts; at += 1) statuses.push(await signInAsUnknownUser(url))

  expect(new Set(statuses)).toEqual(new Set([400]))
  expect(anonymousMegabytes(processId) - before).toBeLessThan(50)
})
