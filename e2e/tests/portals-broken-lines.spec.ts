import type { Page } from '@playwright/test'
import { watchDirectWays } from '../support/direct-ways.ts'
import { saveDownload } from '../support/downloads.ts'
import { expect, test } from '../support/journey.ts'
import { atPortal, connect, direct, sendFiles } from '../support/portals.ts'
import { makeRandomFile } from '../support/random-file.ts'

test.use({ launchOptions: direct })

const megabyte = 1_000_000

/** Settles once the page shows so many percent of a transfer. */
const arrivedPercent = (page: Page, percent: number): Promise<unknown> =>
  page.waitForFunction((least) => {
    const bar = document.querySelector('[role=progressbar][aria-label=Transfer]')
    return Number(bar?.getAttribute('aria-valuenow')) >= least
  }, percent)

test('POR-04 a connection cut for 5 seconds at half of 300 MB goes on', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  const ways = await watchDirectWays([context, other])
  const creator = await atPortal(context, server.url)
  const joiner = await atPortal(other, server.url)
  await connect(creator, joiner)
  await expect(creator.getByText('Direct')).toBeVisible()
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes: 300 * megabyte })

  await sendFiles(creator, [file.path])
  const saving = saveDownload(joiner, folder, () => joiner.getByRole('button', { name: 'Accept' }).click())
  await arrivedPercent(joiner, 50)
  ways.cut()
  const at = await joiner.getByRole('progressbar', { name: 'Transfer' }).getAttribute('aria-valuenow')
  await joiner.waitForTimeout(5000)
  const after = await joiner.getByRole('progressbar', { name: 'Transfer' }).getAttribute('aria-valuenow')
  ways.mend()
  const saved = await saving

  expect(Number(after) - Number(at)).toBeLessThan(10)
  expect(saved.sha256).toBe(file.sha256)
  ways.close()
})
