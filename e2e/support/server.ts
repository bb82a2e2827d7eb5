import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))

export interface RunningServer {
  readonly url: string
  readonly dataFolder: string
  /** All it has written to its log so far. */
  log(): string
  /** Resolves with the exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>
  kill(): Promise<void>
  /** Stops it in good order and removes what it kept. */
  stop(): Promise<void>
}

interface Wishes {
  readonly environment?: Readonly<Record<string, string>>
  /** Starts on what an earlier server left here; without it, on an empty folder. */
  readonly dataFolder?: string
}

/** Starts the real server as a process of its own, on a free port. */
export async function startServer({ environment = {}, dataFolder }: Wishes = {}): Promise<RunningServer> {
  const folder = dataFolder ?? mkdtempSync(join(tmpdir(), 'sallyport-e2e-'))
  const written: string[] = []
  const child = spawn(process.execPath, [entry], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => written.push(String(piece)))

  return {
    url: await listening(child, written),
    dataFolder: folder,
    log: () => written.join(''),
    ended,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function listening(child: ChildProcess, written: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const found = /"url":"(http:[^"]+)"/.exec(written.join(''))?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout?.on('data', look)
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}\n${written.join('')}`)))
  })
}
