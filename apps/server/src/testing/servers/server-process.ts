import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const entry = fileURLToPath(new URL('../../main.ts', import.meta.url))

/** Starts the server as a child process, which is killed when the test has finished. */
export async function startServerProcess(environment: Readonly<Record<string, string>>) {
  const settings = { PATH: process.env['PATH'], PORT: '0', HOST: '127.0.0.1', ...environment }
  const child = spawn(process.execPath, [entry], { env: settings, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  const written: string[] = []
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      written.push(String(piece))
      const found = /"url":"(http:[^"]+)"/.exec(written.join(''))?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`The server exited with ${code}`)))
  })
  return {
    url,
    /** Kills the process with SIGKILL. */
    kill,
  }
}
