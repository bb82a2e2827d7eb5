import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))
const movedTime = fileURLToPath(new URL('./moved-time.ts', import.meta.url))
const compileCache = fileURLToPath(new URL('../../test-results/compile-cache', import.meta.url))

export interface RunningServer {
  readonly url: string
  readonly dataFolder: string
  readonly pid: number
  /** All it has written to its log so far. */
  log(): string
  /** Resolves with the exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>
  /** Sets its clock so far ahead of the machine's. */
  setClock(aheadMs: number): Promise<void>
  /** Asks it to stop in good order, and leaves what it kept. */
  askToStop(): void
  kill(): Promise<void>
  /** Stops it in good order and removes what it kept. */
  stop(): Promise<void>
}

interface Wishes {
  readonly environment?: Readonly<Record<string, string>>
  /** Starts on what an earlier server left here; without it, on an empty folder. */
  readonly dataFolder?: string
  /** How far its clock is ahead of the machine's from the start. */
  readonly clockAheadMs?: number
  /** Divides the pauses between its jobs. */
  readonly longWaitsShorter?: number
  /** A command that runs it, such as a tracer. */
  readonly under?: readonly string[]
}

/** Starts the real server as a process of its own, on a free port. */
export async function startServer(wishes: Wishes = {}): Promise<RunningServer> {
  const { environment = {}, clockAheadMs = 0, longWaitsShorter = 1, under = [] } = wishes
  const folder = wishes.dataFolder ?? mkdtempSync(join(tmpdir(), 'sallyport-e2e-'))
  const written: string[] = []
  const [command = process.execPath, ...rest] = [...under, process.execPath, '--import', movedTime, entry]
  const child = spawn(command, rest, {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      NODE_COMPILE_CACHE: compileCache,
      TEST_CLOCK_AHEAD_MS: String(clockAheadMs),
      TEST_LONG_WAITS_SHORTER: String(longWaitsShorter),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => written.push(String(piece)))

  return {
    url: await listening(child, written),
    dataFolder: folder,
    pid: child.pid ?? 0,
    log: () => written.join(''),
    ended,
    async setClock(aheadMs) {
      child.send({ aheadMs })
      await once(child, 'message')
    },
    askToStop: () => void child.kill('SIGTERM'),
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
