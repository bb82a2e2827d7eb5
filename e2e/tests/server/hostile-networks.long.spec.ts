import type { Page } from '@playwright/test'
import { dropZone, fileRow, signUp } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { startHostileProxy } from '../../support/network/hostile-proxy.ts'
import {
  isNginxInstalled,
  nginxMissingMessage,
  sampleSite,
  startNginx,
  typicalSite,
} from '../../support/network/nginx.ts'
import { expect, test } from '../../support/network/proxied-journey.ts'

const megabyte = 1024 * 1024

/** Signs up at this URL, uploads and downloads a file and checks that it is unchanged. */
async function expectRoundTrip(page: Page, { url, folder, bytes }: { url: string; folder: string; bytes: number }) {
  const file = await makeRandomFile({ folder, name: 'passing.bin', bytes })
  await signUp(page, undefined, url)
  await dropFiles(page, dropZone(page), [file.path])
  await expect(fileRow(page, file.name)).toBeVisible({ timeout: 480_000 })
  const saved = await saveDownload(page, folder, () =>
    fileRow(page, file.name).getByRole('button', { name: 'Download' }).click(),
  )
  expect(saved.sha256).toBe(file.sha256)
}

for (const [name, maxBodyBytes] of [
  ['limits bodies to 1 MB', megabyte],
  ['limits bodies to 4 KB', 4096],
] as const) {
  test(`FIL-07 F23 behind a proxy that ${name}, files are uploaded over a WebSocket and stay unchanged`, async ({
    page,
    server,
    folder,
    throughProxy,
  }) => {
    const proxy = await startHostileProxy(server.url, { maxBodyBytes })
    throughProxy(proxy, proxy.close)
    const secondFile = await makeRandomFile({ folder, name: 'small.bin', bytes: 3 * megabyte })

    await expectRoundTrip(page, { url: proxy.url, folder, bytes: 20 * megabyte + 7 })
    await dropFiles(page, dropZone(page), [secondFile.path])
    await expect(fileRow(page, secondFile.name)).toBeVisible({ timeout: 240_000 })

    // The second upload reuses what the first one has learned about the proxy.
    expect(new Set(proxy.rejectedPaths)).toEqual(new Set(['/api/upload-chunk']))
    expect(proxy.rejectedPaths.length).toBeLessThanOrEqual(3)
    expect(proxy.socketPaths).toContain('/api/ws-upload')
  })
}

test('FIL-05 F24 behind a proxy that cuts every connection, a file is uploaded and downloaded in pieces', async ({
  page,
  server,
  folder,
  throughProxy,
}) => {
  const proxy = await startHostileProxy(server.url, { cutAfterMs: 2500 })
  throughProxy(proxy, proxy.close)

  await expectRoundTrip(page, { url: proxy.url, folder, bytes: 60 * megabyte + 7 })

  await expect.poll(() => proxy.cutCount()).toBeGreaterThan(0)
})

test('FIL-04 F23 behind nginx with nothing but proxy_pass, 100 MB are uploaded and downloaded unchanged', async ({
  page,
  server,
  folder,
  throughProxy,
}) => {
  test.skip(!isNginxInstalled, nginxMissingMessage)
  // Bodies of 1 MB, HTTP/1.0, no upgrades.
  const nginx = await startNginx(server.url, 'location / { proxy_pass $TARGET; }')
  throughProxy(nginx, nginx.stop)

  await expectRoundTrip(page, { url: nginx.url, folder, bytes: 100 * megabyte })
})

for (const [name, site] of [
  ['with its defaults', typicalSite({ buffersRequests: true })],
  ['without request buffering', typicalSite({ buffersRequests: false })],
  ['with the sample configuration', sampleSite()],
] as const) {
  test(`FIL-04 F23 behind nginx ${name}, files are uploaded and downloaded unchanged`, async ({
    page,
    server,
    folder,
    throughProxy,
  }) => {
    test.skip(!isNginxInstalled, nginxMissingMessage)
    const nginx = await startNginx(server.url, site)
    throughProxy(nginx, nginx.stop)

    await expectRoundTrip(page, { url: nginx.url, folder, bytes: 34 * megabyte + 7 })
  })
}
