import type { Page } from '@playwright/test'
import { fileRow } from '../account/users.ts'

export const downloads = (page: Page) => page.getByRole('region', { name: 'Downloads' })
export const startDownload = (page: Page, name: string) =>
  fileRow(page, name).getByRole('button', { name: 'Download' }).click()

export const withoutServiceWorkers = (page: Page) =>
  page.addInitScript(() => {
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('Not here', 'SecurityError'))
  })

/** Script path and scope of the registered service workers. */
export const listServiceWorkers = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations()
    return registrations.map(({ active, waiting, installing, scope }) => {
      const { scriptURL = location.href } = active ?? waiting ?? installing ?? {}
      return `${new URL(scriptURL).pathname} ${new URL(scope).pathname}`
    })
  })
