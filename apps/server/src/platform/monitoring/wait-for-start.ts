import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'

interface StartupWait {
  readonly maxMs: number
  readonly log: Logger
}

const pauseMs = 1000

/** Opens a service that the machine may be starting at the same moment: again while it does not accept connections. */
export async function waitForStart<Opened>(open: () => Promise<Opened>, { maxMs, log }: StartupWait): Promise<Opened> {
  const deadline = Date.now() + maxMs
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (Date.now() >= deadline || !isStarting(error)) throw error
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'waiting for a service to start')
      await wait(pauseMs)
    }
  }
}

/** Refused connections, and PostgreSQL's codes for starting up and shutting down. */
function isStarting(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  const isRefused =
    code === 'ECONNREFUSED' || code === '57P03' || code === '57P01' || /ECONNREFUSED|LOADING/.test(error.message)
  return isRefused || isStarting(error.cause)
}
