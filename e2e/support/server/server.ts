import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyPreparedAccounts, offerPreparedAccounts } from '../account/prepared-accounts.ts'
import { inheritedEnvironment } from './inherited-environment.ts'

/** Another checkout can be tested, such as an earlier commit that a new test has to fail on. */
export const checkout = process.env['TESTED_CHECKOUT'] ?? fileURLToPath(new URL('../../../', import.meta.url))
const entry = join(checkout, 'apps/server/src/main.ts')
export const shiftedClock = fileURLToPath(new URL('./shifted-clock.ts', import.meta.url))
export const compileCache = fileURLToPath(new URL('../../../test-results/compile-cache', import.meta.url))

export const startTimeoutMs = 90_000
/** A free port of this machine alone. */
export const loopback = { PORT: '0', HOST: '127.0.0.1' }

export type Environment = Readonly<Record<string, string>>

export interface RunningServer {
  readonly url: string
  readonly dataFolder: string
  /** All it has written to its log so far. */
  log(): string
  /** Sets its clock this far ahead of the machine's. */
  setClock(aheadMs: number): Promise<void>
  /** Kills its process with SIGKILL; the data folder stays. */
  kill(): Promise<void>
  /** Stops it and removes its data folder. */
  stop(): Promise<void>
}

/** A server in a process of its own. */
export interface ServerProcess extends RunningServer {
  readonly pid: number
  /** Resolves with the exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>
  /** Sends SIGTERM; the data folder stays. */
  requestStop(): void
}

interface ServerOptions {
  readonly environment?: Environment
  /** The data folder of an earlier server; by default one with the prepared accounts. */
  readonly dataFolder?: string
  /** How far its clock is ahead of the machine's from the start. */
  readonly clockAheadMs?: number
  /** Divides the pauses between its jobs. */
  readonly longWaitDivisor?: number
  /** A command that runs it, such as a tracer. */
  readonly commandPrefix?: readonly string[]
}

/** Starts the real server on a free port in a process of its own. */
export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const { environment = {}, clockAheadMs = 0, longWaitDivisor = 1, commandPrefix = [] } = options
  const folder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'sallyport-e2e-'))
  const prepared = startsEmpty(options) ? copyPreparedAccounts(folder) : []
  const output: string[] = []
  const [command = process.execPath, ...args] = [...commandPrefix, process.execPath, '--import', shiftedClock, entry]
  const child = spawn(command, args, {
    env: {
      ...inheritedEnvironment(),
      ...loopback,
      DATA_DIR: folder,
      NODE_COMPILE_CACHE: compileCache,
      TEST_CLOCK_AHEAD_MS: String(clockAheadMs),
      TEST_LONG_WAITS_SHORTER: String(longWaitDivisor),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => output.push(String(piece)))

  const url = await waitForUrl(child, output)
  offerPreparedAccounts(url, prepared)

  return {
    url,
    dataFolder: folder,
    pid: child.pid ?? 0,
    log: () => output.join(''),
    ended,
    async setClock(aheadMs) {
      child.send({ aheadMs })
      await once(child, 'message')
    },
    requestStop: () => void child.kill('SIGTERM'),
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

/** Whether a server may start with the prepared accounts: in a data folder of its own with the default database. */
const startsEmpty = ({ dataFolder, environment = {} }: ServerOptions): boolean =>
  dataFolder === undefined && !('DATABASE_URL' in environment)

function waitForUrl(child: ChildProcess, output: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const checkOutput = () => {
      const found = /"url":"(http:[^"]+)"/.exec(output.join(''))?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout?.on('data', checkOutput)
    child.once('exit', (code) => reject(new Error(`The server exited with ${code}\n${output.join('')}`)))
    const fail = () => reject(new Error(`The server did not start within ${startTimeoutMs} ms\n${output.join('')}`))
    setTimeout(fail, startTimeoutMs).unref()
  })
}
