import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const startTimeoutMs = 50_000
const entry = fileURLToPath(new URL('../../main.ts', import.meta.url))

/**
 * Starts the server as a child process, which is killed when the test has finished. `onLog` receives everything that it
 * has logged, whenever it logs.
 */
export async function startServerProcess(environment: Readonly<Record<string, string>>, onLog?: (log: string) => void) {
  const settings = { PATH: process.env['PATH'], PORT: '0', HOST: '127.0.0.1', ...environment }
  const child = spawn(process.execPath, [entry], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  const written: string[] = []
  const errors: string[] = []
  child.stderr.on('data', (piece) => void errors.push(String(piece)))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      written.push(String(piece))
      onLog?.(written.join(''))
      const found = /"url":"(http:[^"]+)"/.exec(written.join(''))?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('close', (code) => reject(new Error(`The server exited with ${code}: ${errors.join('')}`)))
    setTimeout(() => reject(new Error(`The server did not start:\n${written.join('')}`)), startTimeoutMs).unref()
  })
  return {
    url,
    /** Kills the process with SIGKILL. */
    kill,
    /** Asks the process to stop; resolves to its exit code. */
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
    /** Everything it has logged. */
    log: () => written.join(''),
  }
}
