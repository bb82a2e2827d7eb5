import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

/** A Redis of the test's own, behind a socket in a folder of its own; not yet running. */
export function aRedis() {
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
      server = started
      await ready(started)
    },
    /** Ends it without a word, as `kill -9` does. What it held is gone. */
    kill,
    /** Lets it keep its connections and say nothing more. */
    hold: (): void => void server?.kill('SIGSTOP'),
    release: (): void => void server?.kill('SIGCONT'),
    /** Looks into it past the server under test. */
    async ask<Answer>(question: (commands: Redis) => Promise<Answer>): Promise<Answer> {
      const commands = new Redis(socket)
      try {
        return await question(commands)
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

function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', () => reject(new Error('The test needs redis-server: apt-get install --yes redis-server')))
    server.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
    server.stdout?.on('data', (lines: Buffer) => {
      if (/ready to accept connections/i.test(String(lines))) resolve()
    })
  })
}
