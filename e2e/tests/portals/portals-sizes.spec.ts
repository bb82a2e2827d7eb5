import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { watchForErrors } from '../../support/browser/guard.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import { connectAtPortal, directConnectionOptions, sendFiles } from '../../support/portals/portals.ts'
import { createSparseFile, setQuota, transfer } from '../../support/portals/sizes.ts'

const megabyte = 1024 * 1024

test.use({ launchOptions: directConnectionOptions })

test('POR-05 a file that exceeds the free space is rejected before the receiver is asked, and both users see why', async ({
  context,
  pageErrors,
  folder,
  server,
}) => {
  // Browser contexts without persistent storage do not count the reserved space.
  const other = await chromium.launchPersistentContext(join(folder, 'profile'), directConnectionOptions)
  await watchForErrors(other, pageErrors)
  const [creator, joiner] = await connectAtPortal([context, other], server.url)
  await setQuota(joiner, server.url, 70)

  await sendFiles(creator, [await createSparseFile(folder, 'too large.bin', 80 * megabyte)])

  await expect(joiner.getByText('Transfer failed: there is not enough space on this device')).toBeVisible()
  await expect(creator.getByText('Transfer failed: there is not enough space on the other device')).toBeVisible()
  await expect(joiner.getByRole('alertdialog')).toHaveCount(0)
  const file = await makeRandomFile({ folder, name: 'fits.bin', bytes: 100_000 })
  expect(await transfer(creator, joiner, folder, [file.path])).toEqual({ [file.name]: file.sha256 })
  await other.close()
})
