import type { BrowserContext, Page } from '@playwright/test'

/** Tracks screen wake locks in the pages of a context; the returned function counts those that a page holds. */
export async function trackWakeLocks(context: BrowserContext): Promise<(page: Page) => Promise<number>> {
  await context.addInitScript(() => {
    const locks: WakeLockSentinel[] = []
    const request = WakeLock.prototype.request
    WakeLock.prototype.request = async function (this: WakeLock, type) {
      const lock = await request.call(this, type)
      locks.push(lock)
      return lock
    }
    Reflect.set(globalThis, 'countLocks', () => locks.filter(({ released }) => !released).length)
  })
  return (page) => page.evaluate(() => (Reflect.get(globalThis, 'countLocks') as () => number)())
}
