import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { test as base } from './journey.ts'
import { type RecordingProxy, startRecordingProxy } from './network/recording-proxy.ts'

interface RecordedJourney {
  /** The folder with everything that was captured. */
  readonly captures: string
  readonly recordingProxy: RecordingProxy
}

/** A journey whose traffic passes through a recording proxy. */
export const test = base.extend<RecordedJourney>({
  captures: async ({ folder }, use) => {
    const captures = join(folder, 'captures')
    mkdirSync(captures)
    await use(captures)
  },
  recordingProxy: async ({ server, captures }, use) => {
    const recordingProxy = await startRecordingProxy(server.url, join(captures, 'wire'))
    await use(recordingProxy)
    await recordingProxy.close()
  },
  baseURL: async ({ recordingProxy }, use) => use(recordingProxy.url),
})

/** Records WebSocket payloads, which are masked on the wire, and console output. */
export function recordPages(context: BrowserContext, captures: string): void {
  const record = (text: string | Buffer) => appendFileSync(join(captures, 'overheard.txt'), `${text}\n`)
  context.on('console', (message) => record(message.text()))
  context.on('weberror', (error) => record(error.error().stack ?? error.error().message))
  context.on('page', (page) =>
    page.on('websocket', (socket) => {
      record(socket.url())
      socket.on('framesent', ({ payload }) => record(payload))
      socket.on('framereceived', ({ payload }) => record(payload))
    }),
  )
}
