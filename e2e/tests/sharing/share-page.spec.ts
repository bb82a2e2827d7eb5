import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { withoutOpfs } from '../../support/browser/without-opfs.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { sha256OfBytes } from '../../support/files/random-file.ts'
import { shareByLink } from '../../support/files/shared-file.ts'
import { startHostileProxy } from '../../support/network/hostile-proxy.ts'
import { expect, test } from '../../support/network/proxied-journey.ts'

const megabyte = 1024 * 1024
const mayHaveExpiredMessage = 'The file may have expired or the link is invalid.'

test('SHR-03 a shared file loads, waits for a click, shows its progress and its completion', async ({
  page,
  server,
  throughProxy,
}) => {
  const bytes = 10 * megabyte
  const { link: directLink } = await shareByLink(server.url, new File([new Uint8Array(bytes)], 'report.pdf'))
  const proxy = await startHostileProxy(server.url, {})
  throughProxy(proxy, proxy.close)
  const link = directLink.replace(server.url, proxy.url)
  await page.route('**/api/share/*', () => undefined)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Loading' })).toBeVisible()
  await expectAccessible(page, 'a loading share')
  await page.unroute('**/api/share/*')

  await page.reload()
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  const release = proxy.holdResponses('/api/share/', 0.58 * bytes)
  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const progressBar = page.getByRole('progressbar', { name: 'Downloading report.pdf' })
  await expect(progressBar).toHaveAttribute('aria-valuenow', /^5[5-8]$/)
  await expect(page.getByText(/^5\.\d\d MB of 10\.00 MB$/)).toBeVisible()
  await expect(page).toHaveTitle(/^5[5-8]% · Sallyport$/)
  await expectAccessible(page, 'a downloading share')

  release()
  await downloaded
  await expect(page.getByText('Complete', { exact: true })).toBeVisible()
  await expectAccessible(page, 'a completed share')
})

test('SHR-03 opening a link counts no download; only a complete one counts', async ({ page, server }) => {
  const { link, getShare } = await shareByLink(server.url, new File(['hello world'], 'report.pdf'))
  for (let visit = 0; visit < 3; visit += 1) {
    await page.goto('about:blank')
    await page.goto(link)
    await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  }
  expect((await getShare()).downloads).toBe(0)

  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  await downloaded

  await expect.poll(async () => (await getShare()).downloads).toBe(1)
})

test('SHR-04 the page works without any storage or service workers, and says what that means', async ({
  anotherBrowser,
  folder,
  server,
}) => {
  const bytes = Buffer.alloc(110 * megabyte, 'sallyport')
  const { link } = await shareByLink(server.url, new File([bytes], 'walkthrough.mov'))
  const context = await anotherBrowser({ serviceWorkers: 'block' })
  await withoutOpfs(context)
  await context.addInitScript(() => {
    const reject = () => {
      throw new DOMException('Not in this window', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
      Object.defineProperty(window, name, { get: reject })
    }
    Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => undefined })
  })
  const page = await context.newPage()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'walkthrough.mov' })).toBeVisible()

  const [saved] = await Promise.all([
    saveDownload(page, folder, () => page.getByRole('button', { name: 'Download' }).click()),
    expect(page.getByText(/^Your browser doesn’t allow saving to disk here/)).toBeVisible({ timeout: 240_000 }),
  ])

  expect([saved.name, saved.sha256]).toEqual(['walkthrough.mov', sha256OfBytes(bytes)])
  await expect(page.getByText('Complete', { exact: true })).toBeVisible()
})

test('SHR-04 any other error of a link is shown by its status, and a network error can be retried', async ({
  page,
  server,
}) => {
  const { link } = await shareByLink(server.url, new File(['hello world'], 'report.pdf'))
  await page.route('**/api/share/*', (route) => route.fulfill({ status: 403, body: '' }))
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Download failed: 403' })).toBeVisible()
  await expect(page.getByText(mayHaveExpiredMessage)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)

  await page.unroute('**/api/share/*')
  await page.route('**/api/share/*', (route) => route.abort('connectionreset'))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Download failed due to network error' })).toBeVisible()
  await page.unroute('**/api/share/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
})
