import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { memorySettings } from '../tools/memory-settings.ts'
import type { TickTimes } from './tick-watch.ts'

const tickWatch = fileURLToPath(new URL('tick-watch.ts', import.meta.url))

export interface NodeServer {
  readonly url: string
  readonly processId: number
  /** How long the ticks of its event loop have taken since this was asked last; only of one that is watched. */
  tickTimes(): Promise<TickTimes>
  stop(): Promise<void>
}

interface Start {
  /** The program and its arguments. */
  readonly words: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
  readonly watchesTicks?: boolean
}

/** Starts a server in a process of its own, which ends with this one, and waits until it says under which `url` it is open. */
export async function startNodeServer({ words, environment = {}, watchesTicks = false }: Start): Promise<NodeServer> {
  const watch = watchesTicks ? ['--import', tickWatch] : []
  const child = spawn(process.execPath, [...watch, ...words], {
    env: { ...process.env, ...memorySettings, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', ...(watchesTicks ? (['ipc'] as const) : [])],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const endWithUs = () => child.kill()
  process.once('exit', endWithUs)
  const url = await new Promise<string>((resolve, reject) => {
    let written = ''
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}\n${written}`)))
    child.stdout?.on('data', (piece) => {
      written = `${written}${piece}`.slice(-10_000)
      const found = /"url":"(http:[^"]+)"/.exec(written)?.[1]
      if (found) resolve(found)
    })
  })

  return {
    url,
    processId: child.pid ?? 0,
    async tickTimes() {
      const answered = once(child, 'message')
      child.send('tick times')
      return (await answered)[0]
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      process.off('exit', endWithUs)
    },
  }
}
