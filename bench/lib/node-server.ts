import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { memorySettings } from '../../tools/memory-settings.ts'
import { superviseChild } from './child-process.ts'
import type { TickTimes } from './tick-watch.ts'

const tickWatch = fileURLToPath(new URL('tick-watch.ts', import.meta.url))

export interface NodeServer {
  readonly url: string
  readonly processId: number
  /** Returns the tick durations of the event loop since the last call; requires `watchesTicks`. */
  tickTimes(): Promise<TickTimes>
  stop(): Promise<void>
}

interface NodeServerOptions {
  /** The program and its arguments. */
  readonly args: readonly string[]
  readonly environment?: NodeJS.ProcessEnv
  readonly watchesTicks?: boolean
}

/** Starts a server in a child process that exits with this one, and waits until it prints its `url`. */
export async function startNodeServer({
  args,
  environment = {},
  watchesTicks = false,
}: NodeServerOptions): Promise<NodeServer> {
  const preload = watchesTicks ? ['--import', tickWatch] : []
  const child = spawn(process.execPath, [...preload, ...args], {
    env: { ...process.env, ...memorySettings, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', ...(watchesTicks ? (['ipc'] as const) : [])],
  })
  const { processId, stop } = superviseChild(child)
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.once('exit', (code) => reject(new Error(`The server exited with ${code}\n${output}`)))
    child.stdout?.on('data', (piece) => {
      output = `${output}${piece}`.slice(-10_000)
      const found = /"url":"(http:[^"]+)"/.exec(output)?.[1]
      if (found) resolve(found)
    })
  })

  return {
    url,
    processId,
    async tickTimes() {
      const replied = once(child, 'message')
      child.send('tick times')
      return (await replied)[0]
    },
    stop,
  }
}
