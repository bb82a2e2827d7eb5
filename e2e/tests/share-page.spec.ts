import { breakOff } from '../support/break-off.ts'
import { saveDownload } from '../support/downloads.ts'
import { expectAccessible } from '../support/expect-accessible.ts'
import { expect, test } from '../support/journey.ts'
import { digestOf } from '../support/random-file.ts'
import { shareByLink } from '../support/shared-file.ts'
import { withoutPrivateFiles } from '../support/without-private-files.ts'

const megabyte = 1024 * 1024
const mayHaveExpired = 'The file may have expired or the link is invalid.'

test('SHR-03 a shared file is looked up, waits for a press, tells how far it is and that it is complete', async ({
  page,
  server,
}) => {
  const { link } = await shareByLink(server.url, new File([new Uint8Array(10 * megabyte)], 'report.pdf'))
  await page.route('**/api/share/*', () => undefined)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Loading' })).toBeVisible()
  await expectAccessible(page, 'a share that is looked up')
  await page.unroute('**/api/share/*')

  await page.reload()
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  await breakOff(page, '**/api/share/*', 0.58)
  await page.getByRole('button', { name: 'Download' }).click()
  const bar = page.getByRole('progressbar', { name: 'Downloading report.pdf' })
  await expect(bar).toHaveAttribute('aria-valuenow', /^5[5-8]$/)
  await expect(page.getByText(/^5\.\d\d MB of 10\.00 MB$/)).toBeVisible()
  await expect(page).toHaveTitle(/^5[5-8]% · Sallyport$/)
  await expectAccessible(page, 'a share on its way')

  const saving = page.waitForEvent('download')
  await page.unroute('**/api/share/*')
  await saving
  await expect(page.getByText('Complete', { exact: true })).toBeVisible()
  await expectAccessible(page, 'a share that is complete')
})

test('SHR-03 opening a link counts nothing; only what was taken whole does', async ({ page, server }) => {
  const { link, look } = await shareByLink(server.url, new File(['hello world'], 'report.pdf'))
  for (let visit = 0; visit < 3; visit += 1) {
    await page.goto('about:blank')
    await page.goto(link)
    await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  }
  expect((await look()).downloads).toBe(0)

  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  await saving

  await expect.poll(async () => (await look()).downloads).toBe(1)
})

test('SHR-04 the page works where the browser keeps it from every storage and from service workers, and says what that means', async ({
  anotherBrowser,
  folder,
  server,
}) => {
  test.setTimeout(240_000)
  const bytes = Buffer.alloc(110 * megabyte, 'sallyport')
  const { link } = await shareByLink(server.url, new File([bytes], 'walkthrough.mov'))
  const context = await anotherBrowser({ serviceWorkers: 'block' })
  await withoutPrivateFiles(context)
  await context.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('Not in this window', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
      Object.defineProperty(window, name, { get: refuse })
    }
    Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => undefined })
  })
  const page = await context.newPage()
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'walkthrough.mov' })).toBeVisible()

  const [saved] = await Promise.all([
    saveDownload(page, folder, () => page.getByRole('button', { name: 'Download' }).click()),
    expect(page.getByText(/^This browser gives the page no room on the disk/)).toBeVisible({ timeout: 60_000 }),
  ])

  expect([saved.name, saved.sha256]).toEqual(['walkthrough.mov', digestOf(bytes)])
  await expect(page.getByText('Complete', { exact: true })).toBeVisible()
})

test('SHR-04 any other answer to a link is told by its status, and a network that is away can be tried again', async ({
  page,
  server,
}) => {
  const { link } = await shareByLink(server.url, new File(['hello world'], 'report.pdf'))
  await page.route('**/api/share/*', (route) => route.fulfill({ status: 403, body: '' }))
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Download failed: 403' })).toBeVisible()
  await expect(page.getByText(mayHaveExpired)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)

  await page.unroute('**/api/share/*')
  await page.route('**/api/share/*', (route) => route.abort('connectionreset'))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Download failed due to network error' })).toBeVisible()
  await page.unroute('**/api/share/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
})
