import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

const startTimeoutMs = 60_000

/** Creates a Redis server on a Unix socket in a temporary folder. It is not started. */
export function createRedisProcess() {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-redis-'))
  const socket = join(folder, 'redis.sock')
  let server: ChildProcess | undefined

  async function kill(): Promise<void> {
    const running = server
    if (!running) return
    server = undefined
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }

  return {
    url: `unix://${socket}`,
    async start(): Promise<void> {
      if (server) return
      const flags = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no', '--dir', folder]
      const started = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] })
      await waitUntilReady(started)
      server = started
    },
    /** Kills the process with SIGKILL. Its data is lost. */
    kill,
    /** Suspends the process: connections stay open but get no responses. */
    suspend: (): void => void server?.kill('SIGSTOP'),
    resume: (): void => void server?.kill('SIGCONT'),
    /** Runs commands over a separate connection. */
    async query<Answer>(run: (commands: Redis) => Promise<Answer>): Promise<Answer> {
      const commands = new Redis(socket)
      try {
        return await run(commands)
      } finally {
        commands.disconnect()
      }
    },
    async remove(): Promise<void> {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function waitUntilReady(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      server.kill('SIGKILL')
      reject(new Error('redis-server did not start'))
    }, startTimeoutMs)
    server.once('exit', () => clearTimeout(timer))
    server.once('error', () => reject(new Error('The test needs redis-server: apt-get install --yes redis-server')))
    server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
    server.stdout?.on('data', (lines: Buffer) => {
      if (/ready to accept connections/i.test(String(lines))) {
        clearTimeout(timer)
        resolve()
      }
    })
  })
}
