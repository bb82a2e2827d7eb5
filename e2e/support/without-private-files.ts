import type { BrowserContext } from '@playwright/test'

/** Takes the private file system from the page's workers, as browsers do in some private windows. */
export async function withoutPrivateFiles(context: BrowserContext): Promise<void> {
  await context.route(/\/assets\/(open|archive)\.worker-[\w-]+\.js$/, async (route) => {
    const response = await route.fetch()
    const refusal = "new DOMException('Not in this window', 'SecurityError')"
    const missing = `StorageManager.prototype.getDirectory = async () => { throw ${refusal} };`
    await route.fulfill({ response, body: missing + (await response.text()) })
  })
}
