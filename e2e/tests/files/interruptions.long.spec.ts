import { openNewAccount } from '../../support/account/open-files.ts'
import { dropZone, fileRow } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'

const megabyte = 1024 * 1024

test('T042 a worker that cannot start fails the upload with a message, and the next upload works', async ({
  page,
  folder,
}) => {
  const file = await makeRandomFile({ folder, name: 'no-helper.bin', bytes: 9 * megabyte })
  await openNewAccount(page)
  await page.route('**/assets/encrypt.worker-*.js', (route) => route.abort('connectionrefused'))

  await dropFiles(page, dropZone(page), [file.path])
  const banner = page.getByRole('alert').filter({ hasText: 'Failed to upload no-helper.bin: ' })
  await expect(banner).toBeVisible()
  await page.unrouteAll()
  await banner.getByRole('button', { name: 'Retry' }).click()

  await expect(fileRow(page, 'no-helper.bin')).toBeVisible()
})

test('T042 a worker that crashes midway fails the upload with a message and leaves no partial file', async ({
  page,
  folder,
}) => {
  const file = await makeRandomFile({ folder, name: 'broken-off.bin', bytes: 40 * megabyte })
  await openNewAccount(page)
  let chunks = 0
  await page.route('**/api/upload-chunk', async (route) => {
    chunks += 1
    if (chunks === 1) return route.continue()
  })
  await dropFiles(page, dropZone(page), [file.path])
  await expect.poll(() => chunks).toBeGreaterThanOrEqual(2)
  const encryptWorker = page.workers().find((worker) => worker.url().includes('encrypt.worker'))

  await encryptWorker?.evaluate(() => {
    setTimeout(() => {
      throw new Error('worker crashed')
    })
  })

  const banner = page.getByRole('alert').filter({ hasText: 'Failed to upload broken-off.bin: ' })
  await expect(banner).toBeVisible()
  await expect(fileRow(page, 'broken-off.bin')).toHaveCount(0)
  expect(encryptWorker).toBeDefined()
  await page.unrouteAll()
  await banner.getByRole('button', { name: 'Retry' }).click()
  await expect(fileRow(page, 'broken-off.bin')).toBeVisible({ timeout: 240_000 })
})
