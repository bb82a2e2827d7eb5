import { randomBytes } from 'node:crypto'
import { createAccount } from '../support/account.ts'
import { expect, test } from '../support/behind.ts'
import { startHostileProxy } from '../support/hostile-proxy.ts'
import { fileRow, signIn } from '../support/people.ts'
import { withoutPrivateFiles } from '../support/without-private-files.ts'

const megabyte = 1024 * 1024

test('T165 FIL-15 a service worker that is killed in the middle of a download fails it, in the page and in the browser', async ({
  page,
  context,
  server,
  between,
}) => {
  test.setTimeout(300_000)
  const account = await createAccount(server.url)
  await account.upload(new File([randomBytes(101 * megabyte)], 'killed.bin'))
  const proxy = await startHostileProxy(server.url, {})
  between(proxy, proxy.close)
  const letGo = proxy.holdAnswers('/api/download/', 24 * megabyte)
  await withoutPrivateFiles(context)
  await signIn(page, account, proxy.url)
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    fileRow(page, 'killed.bin').getByRole('button', { name: 'Download' }).click(),
  ])
  await expect
    .poll(() => proxy.passedBytes('/api/download/'), { intervals: [50], timeout: 60_000 })
    .toBeGreaterThan(20 * megabyte)

  const devtools = await context.newCDPSession(page)
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.stopAllWorkers')
  letGo()

  expect(await download.failure()).not.toBeNull()
  await expect(
    page.getByRole('region', { name: 'Downloads' }).getByRole('button', { name: 'Retry killed.bin' }),
  ).toBeVisible({
    timeout: 60_000,
  })
})
