import { expect, type Page, type Request } from '@playwright/test'

/** Runs until the browser has nothing else to do. */
const waitForIdle = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((resolve) => void requestIdleCallback(() => resolve())))

/** Records the requests of a page that are not answered. */
function recordPending(page: Page, isCounted: (request: Request) => boolean): ReadonlySet<Request> {
  const pending = new Set<Request>()
  page.on('request', (request) => isCounted(request) && pending.add(request))
  const remove = (request: Request) => void pending.delete(request)
  page.on('requestfinished', remove).on('requestfailed', remove)
  return pending
}

/**
 * Call it before a page of a signed-in user is opened. The returned function waits until the page has loaded all that it
 * loads by itself: it fetches the files again once its live channel is open.
 */
export function recordStart(page: Page): () => Promise<void> {
  const pending = recordPending(page, (request) => new URL(request.url()).pathname.startsWith('/api/'))
  let isLive = false
  let fetchCount = 0
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).includes('"ready"')) isLive = true
    })
  })
  page.on('request', (request) => {
    if (isLive && request.url().endsWith('/api/files')) fetchCount += 1
  })
  return async () => {
    await expect.poll(() => fetchCount, 'the files are fetched again').toBeGreaterThan(0)
    await expect.poll(() => pending.size, 'requests without an answer').toBe(0)
    await waitForIdle(page)
  }
}

/** Records the paths of the scripts that a page loads, and can wait until it loads no more. */
export function recordScripts(page: Page) {
  const isScript = (request: Request) => new URL(request.url()).pathname.endsWith('.js')
  const paths = new Set<string>()
  const pending = recordPending(page, isScript)
  page.on('request', (request) => {
    if (isScript(request)) paths.add(new URL(request.url()).pathname)
  })
  async function waitUntilLoaded(): Promise<void> {
    await page.waitForLoadState('load')
    // A script that has just arrived may load others.
    await expect
      .poll(async () => {
        await waitForIdle(page)
        await waitForIdle(page)
        return pending.size
      })
      .toBe(0)
  }
  return { paths, waitUntilLoaded }
}
