import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { largeDownloadBytes } from '@sallyport/contract/limits'
import { createAccount } from '../support/account.ts'
import { saveDownload } from '../support/downloads.ts'
import { expect, test } from '../support/journey.ts'
import { fileRow, signIn } from '../support/people.ts'
import { withoutPrivateFiles } from '../support/without-private-files.ts'

const sizes = [largeDownloadBytes, largeDownloadBytes + 1]

for (const hasPrivateFiles of [true, false]) {
  const place = hasPrivateFiles ? 'with' : 'without'
  test(`T030 files of 100 MB and one byte more come back byte for byte ${place} private files`, async ({
    anotherBrowser,
    folder,
    server,
  }) => {
    test.setTimeout(240_000)
    const account = await createAccount(server.url)
    const digests = new Map<number, string>()
    for (const bytes of sizes) {
      const content = randomBytes(bytes)
      digests.set(bytes, createHash('sha256').update(content).digest('hex'))
      await account.upload(new File([content], `${bytes}.bin`), 60)
    }
    const context = await anotherBrowser({ baseURL: server.url })
    if (!hasPrivateFiles) await withoutPrivateFiles(context)
    const page = await context.newPage()
    await signIn(page, account)

    const workers: boolean[] = []
    for (const bytes of sizes) {
      const saved = await saveDownload(page, folder, () =>
        fileRow(page, `${bytes}.bin`).getByRole('button', { name: 'Download' }).click(),
      )
      expect([saved.name, saved.sha256]).toEqual([`${bytes}.bin`, digests.get(bytes)])
      workers.push(await hasServiceWorker(page))
    }

    // Up to 100 MB the page keeps the bytes itself; beyond, and only where it has no place for them, a worker saves them.
    expect(workers).toEqual([false, !hasPrivateFiles])
  })
}

const hasServiceWorker = (page: Page): Promise<boolean> =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length > 0)
