import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, test as base, expect } from '@playwright/test'
import { type PageErrors, watchForErrors } from './browser/guard.ts'
import { recordRequests } from './browser/requests.ts'
import type { RunningServer } from './server/server.ts'
import { createServerRunner, type ServerRunner } from './server/server-runner.ts'

interface Journey {
  /** A server for this test only. */
  readonly server: RunningServer
  /** A folder for this test only, removed afterwards. */
  readonly folder: string
  /** Policy violations and uncaught errors of all pages. */
  readonly pageErrors: PageErrors
  /** Errors that a test provokes, whenever and however often they are reported. */
  readonly expectedErrors: RegExp[]
  /** Opens a browser context of another user, with the same checks. */
  readonly anotherBrowser: (options?: BrowserContextOptions) => Promise<BrowserContext>
}

interface WorkerFixtures {
  /** Runs the servers of the tests of a worker. */
  readonly serverRunner: ServerRunner
}

/** Every journey runs against a real server and fails on content security policy violations and uncaught errors. */
export const test = base.extend<Journey, WorkerFixtures>({
  serverRunner: [
    async ({ browserName: _ }, use) => {
      const serverRunner = createServerRunner()
      await use(serverRunner)
      await serverRunner.close()
    },
    { scope: 'worker' },
  ],
  folder: async ({ browserName }, use) => {
    const folder = mkdtempSync(join(tmpdir(), `sallyport-${browserName}-`))
    await use(folder)
    rmSync(folder, { recursive: true, force: true })
  },
  server: async ({ serverRunner }, use) => {
    const server = await serverRunner.start()
    await use(server)
    await server.stop()
  },
  baseURL: async ({ server }, use) => use(server.url),
  expectedErrors: async ({ browserName: _ }, use) => use([]),
  pageErrors: [
    async ({ expectedErrors }, use) => {
      const pageErrors: PageErrors = []
      await use(pageErrors)
      expect(pageErrors.filter((one) => !expectedErrors.some((pattern) => pattern.test(one)))).toEqual([])
    },
    { auto: true },
  ],
  context: async ({ context, pageErrors }, use) => {
    await watchForErrors(context, pageErrors)
    recordRequests(context)
    await use(context)
  },
  anotherBrowser: async ({ browser, pageErrors }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (options) => {
      const context = await browser.newContext(options)
      contexts.push(context)
      await watchForErrors(context, pageErrors)
      recordRequests(context)
      return context
    })
    for (const context of contexts) await context.close()
  },
})

export { expect }
