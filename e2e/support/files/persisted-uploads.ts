import type { Page } from '@playwright/test'

/** Counts the uploads that the browser has persisted. */
export const countPersistedUploads = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const found = (await indexedDB.databases()).some(({ name }) => name === 'sallyport-uploads')
    if (!found) return 0
    const open = indexedDB.open('sallyport-uploads')
    await new Promise((resolve) => open.addEventListener('success', resolve))
    const count = open.result.transaction('uploads').objectStore('uploads').count()
    await new Promise((resolve) => count.addEventListener('success', resolve))
    open.result.close()
    return count.result
  })
