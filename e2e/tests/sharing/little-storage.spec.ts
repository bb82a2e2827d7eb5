import { randomBytes } from 'node:crypto'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { sha256OfBytes } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import { setQuota } from '../../support/portals/sizes.ts'

const megabyte = 1024 * 1024

for (const [megabytes, quota, place] of [
  [40, 5, 'kept in memory'],
  [110, 20, 'decrypted by the service worker'],
] as const) {
  test(`SHR-05 a shared file for which a private window has too little storage is ${place}`, async ({
    page,
    server,
    folder,
  }) => {
    const { call, accountKey, upload } = await createAccount(server.url)
    const bytes = randomBytes(megabytes * megabyte)
    const id = await upload(new File([bytes], 'plans.bin'))
    const { encryptedFileKey } = await call(files.key, { params: { id } })
    const link = await shareFile(call, { id, encryptedFileKey, accountKey, origin: server.url })
    await setQuota(page, server.url, quota)

    await page.goto(link)
    const saved = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download' }).click())

    expect(saved.sha256).toBe(sha256OfBytes(bytes))
    await expect(page.getByText('Complete', { exact: true })).toBeVisible({ timeout: 60_000 })
  })
}
