import type { Page } from '@playwright/test'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import { relayDirectPaths } from '../../support/network/relay-direct-paths.ts'
import { acceptFile, connectAtPortal, directConnectionOptions, sendFiles } from '../../support/portals/portals.ts'

const megabyte = 1_000_000
/** `npm run journeys:gigabyte` cuts the transfer of 1 GB. */
const largeMegabytes = Number(process.env['LARGE_FILE_MEGABYTES'] ?? 100)

test.use({ launchOptions: directConnectionOptions })
// Every packet passes this process.
test.describe.configure({ timeout: 600_000 + largeMegabytes * 4000 })

const displayedPercent = async (page: Page): Promise<number> =>
  Number(await page.getByRole('progressbar').getAttribute('aria-valuenow'))

test('POR-04 a transfer of a large file survives a connection cut of 5 seconds at half', async ({
  context,
  anotherBrowser,
  server,
  folder,
}) => {
  const joinerContext = await anotherBrowser()
  const relays = await relayDirectPaths([context, joinerContext])
  const [creator, joiner] = await connectAtPortal([context, joinerContext], server.url)
  await expect(creator.getByText('Direct', { exact: true })).toBeVisible()
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes: largeMegabytes * megabyte })
  await sendFiles(creator, [file.path])

  const downloaded = acceptFile(joiner, folder)
  // Measured at the relay: on a fast machine the page may show half when everything has arrived.
  await expect
    .poll(relays.forwardedBytes, { intervals: [5], timeout: 240_000 + largeMegabytes * 2000 })
    .toBeGreaterThan((largeMegabytes / 2) * megabyte)
  relays.cutAll()
  const percentAtCut = await displayedPercent(joiner)
  await joiner.waitForTimeout(5000)
  const percentAfterCut = await displayedPercent(joiner)
  relays.restore()
  const saved = await downloaded

  expect(percentAfterCut - percentAtCut).toBeLessThan(10)
  expect(saved.sha256).toBe(file.sha256)
  relays.close()
})
