import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../tools/free-port.ts'
import { spreadOf } from '../lib/statistics.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const startCount = 3

/** Median seconds from `npm start` until the page is served, without the first start, which may build the page. */
export async function measureStartup(dataFolder: string): Promise<number> {
  const durations: number[] = []
  for (let start = 0; start <= startCount; start += 1) durations.push(await measureStart(dataFolder))
  return spreadOf(durations.slice(1)).median
}

async function measureStart(dataFolder: string): Promise<number> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataFolder },
    stdio: 'ignore',
    // Creates a process group, so that the children of npm are killed with it.
    detached: true,
  })
  const exited = once(child, 'exit')
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => null))?.ok) {
      if (child.exitCode !== null) throw new Error(`npm start exited with ${child.exitCode}`)
      await pause(10)
    }
    return (performance.now() - startedAt) / 1000
  } finally {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await exited
  }
}
