import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { test as base } from './journey.ts'
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts'

interface Recorded {
  /** Holds everything that was overheard. */
  readonly captures: string
  readonly wire: RecordingProxy
}

/** A journey all of whose bytes pass through a proxy that keeps them. */
export const test = base.extend<Recorded>({
  captures: async ({ folder }, use) => {
    const captures = join(folder, 'captures')
    mkdirSync(captures)
    await use(captures)
  },
  wire: async ({ server, captures }, use) => {
    const wire = await startRecordingProxy(server.url, join(captures, 'wire'))
    await use(wire)
    await wire.close()
  },
  baseURL: async ({ wire }, use) => use(wire.url),
})

/** Keeps what the wire shows only masked, and what pages say to their consoles. */
export function eavesdrop(context: BrowserContext, captures: string): void {
  const keep = (text: string | Buffer) => appendFileSync(join(captures, 'overheard.txt'), `${text}\n`)
  context.on('console', (message) => keep(message.text()))
  context.on('weberror', (error) => keep(error.error().stack ?? error.error().message))
  context.on('page', (page) =>
    page.on('websocket', (socket) => {
      keep(socket.url())
      socket.on('framesent', ({ payload }) => keep(payload))
      socket.on('framereceived', ({ payload }) => keep(payload))
    }),
  )
}
