import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, test as base, expect } from '@playwright/test'
import { type Complaints, guard } from './guard.ts'
import { type RunningServer, startServer } from './server.ts'

interface Journey {
  /** A server of the test's own. */
  readonly server: RunningServer
  /** A folder of the test's own, gone afterwards. */
  readonly folder: string
  /** What pages complained of. */
  readonly complaints: Complaints
  /** The complaints that a test means to provoke: nobody knows when, or how often, they are heard. */
  readonly provoked: RegExp[]
  /** Another browser of another person, watched like the first. */
  readonly anotherBrowser: (options?: BrowserContextOptions) => Promise<BrowserContext>
}

/** Every journey runs on a real server, and fails on any breach of the content policy and on any uncaught error. */
export const test = base.extend<Journey>({
  folder: async ({ browserName }, use) => {
    const folder = mkdtempSync(join(tmpdir(), `sallyport-${browserName}-`))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  server: async ({ browserName: _ }, use) => {
    const server = await startServer()
    await use(server)
    await server.stop()
  },
  baseURL: async ({ server }, use) => use(server.url),
  provoked: async ({ browserName: _ }, use) => use([]),
  complaints: [
    async ({ provoked }, use) => {
      const complaints: Complaints = []
      await use(complaints)
      expect(complaints.filter((one) => !provoked.some((meant) => meant.test(one)))).toEqual([])
    },
    { auto: true },
  ],
  context: async ({ context, complaints }, use) => {
    await guard(context, complaints)
    await use(context)
  },
  anotherBrowser: async ({ browser, complaints }, use) => {
    const opened: BrowserContext[] = []
    await use(async (options) => {
      const context = await browser.newContext(options)
      opened.push(context)
      await guard(context, complaints)
      return context
    })
    for (const context of opened) await context.close()
  },
})

export { expect }
