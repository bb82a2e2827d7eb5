import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { largeDownloadBytes } from '@sallyport/contract/limits'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow } from '../../support/account/users.ts'
import { withoutOpfs } from '../../support/browser/without-opfs.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { expect, test } from '../../support/journey.ts'

const sizes = [largeDownloadBytes, largeDownloadBytes + 1]

for (const hasOpfs of [true, false]) {
  const withOrWithout = hasOpfs ? 'with' : 'without'
  test(`T030 files of 100 MB and 1 byte more download unchanged ${withOrWithout} OPFS`, async ({
    anotherBrowser,
    folder,
    server,
  }) => {
    const account = await createAccount(server.url)
    const sha256BySize = new Map<number, string>()
    for (const bytes of sizes) {
      const content = randomBytes(bytes)
      sha256BySize.set(bytes, createHash('sha256').update(content).digest('hex'))
      await account.upload(new File([content], `${bytes}.bin`), 60)
    }
    const context = await anotherBrowser({ baseURL: server.url })
    if (!hasOpfs) await withoutOpfs(context)
    const page = await context.newPage()
    await openFiles(page, account)

    const workers: boolean[] = []
    for (const bytes of sizes) {
      const saved = await saveDownload(page, folder, () =>
        fileRow(page, `${bytes}.bin`).getByRole('button', { name: 'Download' }).click(),
      )
      expect([saved.name, saved.sha256]).toEqual([`${bytes}.bin`, sha256BySize.get(bytes)])
      workers.push(await hasServiceWorker(page))
    }

    expect(workers).toEqual([true, true])
  })
}

const hasServiceWorker = (page: Page): Promise<boolean> =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length > 0)
