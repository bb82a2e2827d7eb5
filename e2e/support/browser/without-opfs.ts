import type { BrowserContext } from '@playwright/test'

/** Removes the origin private file system from the workers of a page, as some private windows do. */
export async function withoutOpfs(context: BrowserContext): Promise<void> {
  await context.route(/\/assets\/(decrypt|archive)\.worker-[\w-]+\.js$/, async (route) => {
    const response = await route.fetch()
    const error = "new DOMException('Not in this window', 'SecurityError')"
    const missing = `StorageManager.prototype.getDirectory = async () => { throw ${error} };`
    await route.fulfill({ response, body: missing + (await response.text()) })
  })
}
