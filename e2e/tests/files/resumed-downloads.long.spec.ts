import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { saveDownload } from '../../support/files/downloads.ts'
import {
  bytes,
  createOwnDownload,
  createOwner,
  type DownloadScenario,
  downloadHalf,
  waitingForServer,
} from '../../support/files/resumed-downloads.ts'
import { waitForAttempts } from '../../support/network/outage.ts'
import { expect, test } from '../../support/network/proxied-journey.ts'
import { startServer } from '../../support/server/server.ts'

const megabyte = 1024 * 1024

/** May be fetched twice: data in flight when the connection was lost. */
const maxRefetchedBytes = 8 * megabyte

async function createSharedDownload(url: string, folder: string): Promise<DownloadScenario> {
  const { file, account, id, proxy } = await createOwner(url, folder)
  const { encryptedFileKey } = await account.call(files.key, { params: { id } })
  const { call, accountKey } = account
  const link = await shareFile(call, { id, encryptedFileKey, accountKey, origin: proxy.url })
  return {
    file,
    proxy,
    pathPrefix: '/api/share/',
    openPage: async (page) => void (await page.goto(link)),
    download: (page) => page.getByRole('button', { name: 'Download' }).click(),
    progressBar: (page) => page.getByRole('progressbar', { name: `Downloading ${file.name}` }),
    retry: (page) => page.getByRole('button', { name: 'Try again' }),
  }
}

/** Expects the saved file to be unchanged and hardly any of it to have been fetched twice. */
async function expectComplete(
  { file, proxy, pathPrefix }: DownloadScenario,
  saved: { readonly sha256: string },
): Promise<void> {
  expect(saved.sha256).toBe(file.sha256)
  expect(proxy.forwardedBytes(pathPrefix)).toBeLessThan(bytes + maxRefetchedBytes)
}

for (const [name, createScenario] of [
  ['an own file', createOwnDownload],
  ['a shared file', createSharedDownload],
] as const) {
  test(`FIL-14 SHR-04 a download of ${name} whose tab is closed midway resumes in another`, async ({
    context,
    server,
    folder,
    throughProxy,
  }) => {
    const scenario = await createScenario(server.url, folder)
    throughProxy(scenario.proxy, scenario.proxy.close)
    const first = await context.newPage()
    const release = await downloadHalf(scenario, first)
    await first.close()
    release()

    const second = await context.newPage()
    await scenario.openPage(second)
    const saved = await saveDownload(second, folder, () => scenario.download(second))

    await expectComplete(scenario, saved)
  })

  test(`FIL-14 SHR-04 a download of ${name} survives a crash of the server`, async ({
    page,
    server,
    folder,
    throughProxy,
  }) => {
    const scenario = await createScenario(server.url, folder)
    throughProxy(scenario.proxy, scenario.proxy.close)
    const saved = await saveDownload(page, folder, async () => {
      const release = await downloadHalf(scenario, page)
      await server.kill()
      const again = await startServer({ dataFolder: server.dataFolder })
      throughProxy(again, again.stop)
      scenario.proxy.setTarget(again.url)
      release()
    })

    await expectComplete(scenario, saved)
  })

  test(`FIL-17 SHR-04 a download of ${name} waits for a server that is away and resumes where it stopped`, async ({
    page,
    server,
    folder,
    throughProxy,
  }) => {
    const scenario = await createScenario(server.url, folder)
    throughProxy(scenario.proxy, scenario.proxy.close)
    const saved = await saveDownload(page, folder, async () => {
      const release = await downloadHalf(scenario, page)
      const reconnect = scenario.proxy.disconnect()
      release()
      await expect(waitingForServer(page)).toBeVisible()
      await waitForAttempts(scenario.proxy.rejectedConnections, 1)
      await expect(page.getByRole('alert')).toHaveCount(0)
      reconnect()
    })

    await expectComplete(scenario, saved)
  })
}
