import { files } from '@sallyport/contract/files'
import { openFiles } from '../../support/account/open-files.ts'
import { expectFiles, fileRow, signOut } from '../../support/account/users.ts'
import { trackWakeLocks } from '../../support/browser/wake-locks.ts'
import { expectComplete, stallAtHalf, test } from '../../support/files/interrupted-uploads.ts'
import { resumableUploads } from '../../support/files/resumable-uploads.ts'
import { expect } from '../../support/journey.ts'

test.describe.configure({ timeout: 600_000 })

test('F12 an upload whose tab was killed midway resumes at the next visit with the missing chunks', async ({
  page,
  setup,
  killMidway,
}) => {
  const next = await killMidway()
  await next.goto('/')

  await expect(resumableUploads(next).getByText(/^Paused at [34]\d%$/)).toBeVisible()
  await page.close()
  await resumableUploads(next).getByRole('button', { name: 'Resume site-photos.zip' }).click()
  await expectComplete(next, setup)
  await expect(resumableUploads(next)).toHaveCount(0)
})

test('a running upload is not offered in another tab, and discarding one frees its quota', async ({
  page,
  context,
  setup,
}) => {
  await openFiles(page, setup.account)
  await stallAtHalf(page, setup)
  const second = await context.newPage()
  await second.goto('/')
  await expectFiles(second)
  await expect(second.getByText('Upload files to see them here')).toBeVisible()
  await expect(resumableUploads(second)).toHaveCount(0)

  page.on('dialog', (dialog) => void dialog.accept())
  await page.close({ runBeforeUnload: false })
  setup.proxy.cut()
  setup.proxy.release()
  await second.reload()
  await expect(resumableUploads(second).getByRole('button', { name: 'Resume site-photos.zip' })).toBeVisible()
  expect((await setup.account.call(files.openUploads, {})).uploads).toHaveLength(1)
  await resumableUploads(second).getByRole('button', { name: 'Discard site-photos.zip' }).click()

  await expect(resumableUploads(second)).toHaveCount(0)
  await expect.poll(async () => (await setup.account.call(files.openUploads, {})).uploads).toEqual([])
  await second.reload()
  await expectFiles(second)
  await expect(resumableUploads(second)).toHaveCount(0)
})

test('T037 sign-out discards interrupted uploads, in the browser and on the server', async ({ page, setup }) => {
  await openFiles(page, setup.account)
  await stallAtHalf(page, setup)

  await signOut(page)

  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
  await expect.poll(async () => (await setup.account.call(files.openUploads, {})).uploads).toEqual([])
  setup.proxy.release()
  await openFiles(page, setup.account)
  await expect(resumableUploads(page)).toHaveCount(0)
})

test('the screen stays on during an upload and no longer', async ({ page, context, setup }) => {
  await context.grantPermissions(['screen-wake-lock'])
  const countWakeLocks = await trackWakeLocks(context)
  const countOwnWakeLocks = () => countWakeLocks(page)
  await openFiles(page, setup.account)
  const locksBefore = await countOwnWakeLocks()
  await stallAtHalf(page, setup)

  await expect.poll(countOwnWakeLocks).toBe(1)
  setup.proxy.release()
  await expect(fileRow(page, setup.file.name)).toBeVisible({ timeout: 360_000 })

  await expect.poll(countOwnWakeLocks).toBe(0)
  expect(locksBefore).toBe(0)
})
