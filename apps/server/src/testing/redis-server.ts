import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/** A Redis of the test file's own, empty before each test; it can be killed, held and started again. */
export function useRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-redis-'))
  const socket = join(folder, 'redis.sock')
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    if (server) return
    const flags = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no', '--dir', folder]
    const started = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] })
    server = started
    await new Promise<void>((resolve, reject) => {
      started.once('error', () => reject(new Error('The test needs redis-server: apt-get install --yes redis-server')))
      started.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
      started.stdout?.on('data', (lines: Buffer) => {
        if (/ready to accept connections/i.test(String(lines))) resolve()
      })
    })
  }

  async function kill(): Promise<void> {
    const running = server
    if (!running) return
    server = undefined
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }

  async function ask<Answer>(question: (commands: Redis) => Promise<Answer>): Promise<Answer> {
    const commands = new Redis(socket)
    try {
      return await question(commands)
    } finally {
      commands.disconnect()
    }
  }

  beforeAll(start)
  beforeEach(async () => {
    await start()
    await ask((commands) => commands.flushall())
  })
  afterAll(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })

  return {
    url: `unix://${socket}`,
    start,
    /** Ends it without a word, as `kill -9` does. What it held is gone. */
    kill,
    /** Lets it keep its connections and say nothing more. */
    hold: (): void => void server?.kill('SIGSTOP'),
    release: (): void => void server?.kill('SIGCONT'),
    /** Looks into it past the server under test. */
    ask,
  }
}
