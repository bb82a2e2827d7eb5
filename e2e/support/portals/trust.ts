import type { BrowserContext, Page } from '@playwright/test'
import { test as base } from '../journey.ts'
import { type LyingServer, startLyingServer } from '../network/lying-server.ts'

export const test = base.extend<{ lyingServer: LyingServer }>({
  lyingServer: async ({ server }, use) => {
    const lyingServer = await startLyingServer(server.url)
    await use(lyingServer)
    await lyingServer.close()
  },
})

export const notVerifiedMessage = "Couldn't verify the other device. Ask for a new link or code."

/** Opens a link in a new page. */
export async function openLink(context: BrowserContext, url: string, link: string): Promise<Page> {
  await context.grantPermissions(['camera'], { origin: url })
  const page = await context.newPage()
  await page.goto(link)
  return page
}
