import type { BrowserContext, Page } from '@playwright/test'

/** Watches how the pages of a context keep the screen on; the answered function tells how many times a page does so now. */
export async function watchWakeLocks(context: BrowserContext): Promise<(page: Page) => Promise<number>> {
  await context.addInitScript(() => {
    const taken: WakeLockSentinel[] = []
    const request = WakeLock.prototype.request
    WakeLock.prototype.request = async function (this: WakeLock, type) {
      const lock = await request.call(this, type)
      taken.push(lock)
      return lock
    }
    Reflect.set(globalThis, 'countLocks', () => taken.filter(({ released }) => !released).length)
  })
  return (page) => page.evaluate(() => (Reflect.get(globalThis, 'countLocks') as () => number)())
}
