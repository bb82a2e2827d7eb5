import type { Page } from '@playwright/test'
import { watchDirectWays } from '../support/direct-ways.ts'
import { saveDownload } from '../support/downloads.ts'
import { expectAccessible } from '../support/expect-accessible.ts'
import { startHostileProxy } from '../support/hostile-proxy.ts'
import { expect, test } from '../support/journey.ts'
import { atPortal, connect, connectAtPortal, direct, sendFiles } from '../support/portals.ts'
import { makeRandomFile } from '../support/random-file.ts'

test.use({ launchOptions: direct })
// Devices give a line up after seconds of their own, and every packet passes this process.
test.describe.configure({ timeout: 240_000 })

const megabyte = 1_000_000

/** Settles once the page shows so many percent of a transfer. */
const arrivedPercent = (page: Page, percent: number): Promise<unknown> =>
  page.waitForFunction(
    (least) => Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')) >= least,
    percent,
    { timeout: 60_000 },
  )

const shownPercent = async (page: Page): Promise<number> =>
  Number(await page.getByRole('progressbar').getAttribute('aria-valuenow'))

test('POR-04 a connection cut for 5 seconds at half of 300 MB goes on', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  const ways = await watchDirectWays([context, other])
  const [creator, joiner] = await connectAtPortal([context, other], server.url)
  await expect(creator.getByText('Direct')).toBeVisible()
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes: 300 * megabyte })

  await sendFiles(creator, [file.path])
  const saving = saveDownload(joiner, folder, () => joiner.getByRole('button', { name: 'Accept' }).click())
  await arrivedPercent(joiner, 50)
  ways.cut()
  const at = await shownPercent(joiner)
  await joiner.waitForTimeout(5000)
  const after = await shownPercent(joiner)
  ways.mend()
  const saved = await saving

  expect(after - at).toBeLessThan(10)
  expect(saved.sha256).toBe(file.sha256)
  ways.close()
})

test('after a crash of the receiving page Resume brings both together without a code, and only what is missing comes again', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  const ways = await watchDirectWays([context, other])
  const [creator, joiner] = await connectAtPortal([context, other], server.url)
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes: 40 * megabyte })
  await sendFiles(creator, [file.path])
  await joiner.getByRole('button', { name: 'Accept' }).click()
  await arrivedPercent(joiner, 50)

  await joiner.close()
  await expect(creator.getByText('Reconnecting to the other device')).toBeVisible()
  const before = ways.passedBytes()
  const again = await atPortal(other, server.url)
  await expect(again.getByRole('button', { name: 'Resume film.bin' })).toBeVisible()
  await expectAccessible(again, 'a portal that broke off')
  const saved = await saveDownload(again, folder, () => again.getByRole('button', { name: 'Resume film.bin' }).click())

  expect(saved.sha256).toBe(file.sha256)
  expect(ways.passedBytes() - before).toBeLessThan(34 * megabyte)
  await expect(again.getByText('Verified (PIN)')).toBeVisible()
  ways.close()
})

test('after a crash of the sending page the file is chosen again and only what is missing travels; another one is refused', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  const ways = await watchDirectWays([context, other])
  const [creator, joiner] = await connectAtPortal([context, other], server.url)
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes: 40 * megabyte })
  const foreign = await makeRandomFile({ folder, name: 'other.bin', bytes: 40 * megabyte })
  await sendFiles(creator, [file.path])
  await joiner.getByRole('button', { name: 'Accept' }).click()
  await arrivedPercent(joiner, 50)

  await creator.close()
  const before = ways.passedBytes()
  const again = await atPortal(context, server.url)
  const choose = async (path: string) => {
    const button = again.getByRole('button', { name: 'Choose file film.bin' })
    const [chooser] = await Promise.all([again.waitForEvent('filechooser'), button.click()])
    await chooser.setFiles(path)
  }
  await choose(foreign.path)
  await expect(again.getByRole('alert').getByText('This is not the same file, or it has changed since.')).toBeVisible()
  const saved = await saveDownload(joiner, folder, () => choose(file.path))

  expect(saved.sha256).toBe(file.sha256)
  expect(ways.passedBytes() - before).toBeLessThan(34 * megabyte)
  ways.close()
})

test('a transfer does not notice that the server is out of reach, and goes on by the relay and directly again', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const proxy = await startHostileProxy(server.url, {})
  const other = await anotherBrowser()
  const ways = await watchDirectWays([context, other])
  const creator = await atPortal(context, proxy.url)
  const joiner = await atPortal(other, proxy.url)
  await connect(creator, joiner)
  const first = await makeRandomFile({ folder, name: 'first.bin', bytes: 40 * megabyte })
  await sendFiles(creator, [first.path])
  const saving = saveDownload(joiner, folder, () => joiner.getByRole('button', { name: 'Accept' }).click())
  await arrivedPercent(joiner, 20)
  const letThrough = proxy.drop()
  expect((await saving).sha256).toBe(first.sha256)
  await expect(joiner.getByText('Direct', { exact: true })).toBeVisible()
  letThrough()

  const second = await makeRandomFile({ folder, name: 'second.bin', bytes: 60 * megabyte })
  await sendFiles(joiner, [second.path])
  const savingSecond = saveDownload(creator, folder, () => creator.getByRole('button', { name: 'Accept' }).click())
  await arrivedPercent(creator, 30)
  ways.cut()
  await expect(creator.getByText('Relayed', { exact: true })).toBeVisible({ timeout: 60_000 })
  ways.mend()
  proxy.drop()()
  await expect(creator.getByText('Direct', { exact: true })).toBeVisible({ timeout: 60_000 })

  expect((await savingSecond).sha256).toBe(second.sha256)
  ways.close()
  await proxy.close()
})

test('with the server and the direct line lost at once both devices find each other again without a code', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const proxy = await startHostileProxy(server.url, {})
  const other = await anotherBrowser()
  const ways = await watchDirectWays([context, other])
  const creator = await atPortal(context, proxy.url)
  const joiner = await atPortal(other, proxy.url)
  await connect(creator, joiner)
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes: 40 * megabyte })
  await sendFiles(creator, [file.path])
  const saving = saveDownload(joiner, folder, () => joiner.getByRole('button', { name: 'Accept' }).click())
  await arrivedPercent(joiner, 30)

  ways.cut()
  const letThrough = proxy.drop()
  await expect(joiner.getByText('Reconnecting to the other device')).toBeVisible({ timeout: 40_000 })
  await expect(creator.getByText('Reconnecting to the other device')).toBeVisible({ timeout: 40_000 })
  ways.mend()
  letThrough()

  expect((await saving).sha256).toBe(file.sha256)
  await expect(joiner.getByText('Verified (PIN)')).toBeVisible()
  ways.close()
  await proxy.close()
})
