import { test as base, expect } from '@playwright/test'
import { type DevProcess, startDevProcess } from '../../../tools/dev-process.ts'
import { fileRow, signUp } from '../../support/account/users.ts'
import { watchForErrors } from '../../support/browser/guard.ts'

const landingPage = 'apps/web/src/features/account/landing/landing-page.tsx'
const systemRoutes = 'apps/server/src/platform/monitoring/system.routes.ts'

const test = base.extend<{ dev: DevProcess }>({
  dev: async ({ browserName: _ }, use) => {
    // What a shell says about production does not apply while developing.
    const dev = await startDevProcess({ NODE_ENV: 'production' })
    await use(dev)
    await dev.interrupt()
  },
})

test('npm run dev serves the sources with hot reload, proxies the server, and stops at breakpoints', async ({
  page,
  dev,
}) => {
  const pageErrors: string[] = []
  await watchForErrors(page.context(), pageErrors)
  const privacySummary = page.getByRole('button', { name: 'What the server sees' })

  const response = await page.goto(dev.url)
  await privacySummary.waitFor()
  await expect(page.locator('script[src="/@vite/client"]')).toBeAttached()
  const pageStop = await dev.stopPageAt(page, landingPage, 'setHasOpened(true)', () => privacySummary.click())
  const request = () => fetch(`${dev.url}/readyz`)
  const serverStop = await dev.stopServerAt(systemRoutes, 'if (isStopping()) throw', request)
  await signUp(page, undefined, dev.url)
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }
  await page.locator('input[type=file]').first().setInputFiles(file)
  const download = page.waitForEvent('download')
  await fileRow(page, 'a.txt').getByRole('button', { name: 'Download' }).click()
  await download

  expect(response?.headers()['content-security-policy']).toBeUndefined()
  expect(response?.headers()['content-security-policy-report-only']).toContain("default-src 'none'")
  expect(pageStop).toMatch(/landing-page\.tsx:\d+:\d+$/)
  expect(serverStop).toMatch(/system\.routes\.ts:\d+:\d+$/)
  expect(pageErrors).toEqual([])
})
