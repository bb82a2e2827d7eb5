import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/** A server that another application is compared with. */
export interface PeerServer {
  readonly url: string
  readonly processId: number
  stop(): Promise<void>
}

/** Ends a child process together with this process, or earlier by `stop`, which waits until it has exited. */
export function superviseChild(child: ChildProcess) {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  const killChild = () => child.kill()
  process.once('exit', killChild)
  return {
    processId: child.pid ?? 0,
    exited,
    /** Waits until the URL is served; throws once the process has exited. */
    async untilServing(url: string): Promise<void> {
      while (!(await fetch(url).catch(() => null))?.ok) {
        if (child.pid === undefined || child.exitCode !== null)
          throw new Error(`${child.spawnargs.join(' ')} exited with ${child.exitCode}`)
        await pause(20)
      }
    },
    async stop(end: () => unknown = killChild): Promise<void> {
      await end()
      await exited
      process.off('exit', killChild)
    },
  }
}
