import { randomBytes } from 'node:crypto'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow } from '../../support/account/users.ts'
import { withoutOpfs } from '../../support/browser/without-opfs.ts'
import { startHostileProxy } from '../../support/network/hostile-proxy.ts'
import { expect, test } from '../../support/network/proxied-journey.ts'

const megabyte = 1024 * 1024

test('T165 FIL-15 a service worker killed during a download fails it in the page and in the browser', async ({
  page,
  context,
  server,
  throughProxy,
}) => {
  test.setTimeout(600_000)
  const account = await createAccount(server.url)
  await account.upload(new File([randomBytes(101 * megabyte)], 'killed.bin'))
  const proxy = await startHostileProxy(server.url, {})
  throughProxy(proxy, proxy.close)
  const release = proxy.holdResponses('/api/download/', 24 * megabyte)
  await withoutOpfs(context)
  await openFiles(page, account, proxy.url)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    fileRow(page, 'killed.bin').getByRole('button', { name: 'Download' }).click(),
  ])
  await expect
    .poll(() => proxy.forwardedBytes('/api/download/'), { intervals: [50], timeout: 240_000 })
    .toBeGreaterThan(20 * megabyte)

  const devtools = await context.newCDPSession(page)
  await devtools.send('ServiceWorker.enable')
  await devtools.send('ServiceWorker.stopAllWorkers')
  release()

  expect(await download.failure()).not.toBeNull()
  await expect(
    page.getByRole('region', { name: 'Downloads' }).getByRole('button', { name: 'Retry killed.bin' }),
  ).toBeVisible({
    timeout: 240_000,
  })
})
