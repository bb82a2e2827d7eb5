import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import { spreadOf } from './spread.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const starts = 3

/** Seconds from `npm start` until the page is answered; the first start, which may build it, does not count. */
export async function timeStarts(dataFolder: string): Promise<number> {
  const taken: number[] = []
  for (let start = 0; start <= starts; start += 1) taken.push(await timeStart(dataFolder))
  return spreadOf(taken.slice(1)).median
}

async function timeStart(dataFolder: string): Promise<number> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataFolder },
    stdio: 'ignore',
    // A group of its own, so that what npm starts ends with it.
    detached: true,
  })
  const ended = once(child, 'exit')
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => null))?.ok) {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
      await pause(10)
    }
    return (performance.now() - startedAt) / 1000
  } finally {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}
