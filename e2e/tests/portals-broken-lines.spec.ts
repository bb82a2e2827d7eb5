import type { BrowserContext, Page } from '@playwright/test'
import { watchDirectWays } from '../support/direct-ways.ts'
import { saveDownload } from '../support/downloads.ts'
import { expectAccessible } from '../support/expect-accessible.ts'
import { type HostileProxy, startHostileProxy } from '../support/hostile-proxy.ts'
import { test as base, expect } from '../support/journey.ts'
import { acceptFile, atPortal, connectAtPortal, direct, holdFiles, letPass, sendFiles } from '../support/portals.ts'
import { makeRandomFile, type RandomFile } from '../support/random-file.ts'
import type { WaysAround } from '../support/ways-around.ts'

const megabyte = 1_000_000
const everything = 1000 * megabyte

/** Two devices that are connected, with places on all their ways that can be cut. */
interface Devices {
  readonly creator: Page
  readonly joiner: Page
  /** Where the joiner is. */
  readonly other: BrowserContext
  readonly ways: WaysAround
  readonly proxy: HostileProxy
}

const test = base.extend<{ devices: Devices }>({
  devices: async ({ context, anotherBrowser, server }, use) => {
    const proxy = await startHostileProxy(server.url, {})
    const other = await anotherBrowser()
    const ways = await watchDirectWays([context, other])
    for (const one of [context, other]) {
      await holdFiles(one)
      await countConnections(one)
    }
    const [creator, joiner] = await connectAtPortal([context, other], proxy.url)
    await expect(creator.getByText('Direct', { exact: true })).toBeVisible()
    await use({ creator, joiner, other, ways, proxy })
    ways.close()
    await proxy.close()
  },
})

test.use({ launchOptions: direct })
// Devices give a line up after seconds of their own, and every packet passes this process.
test.describe.configure({ timeout: 240_000 })

/** Has the pages of a context count the connections to other devices they make. */
const countConnections = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const Original = RTCPeerConnection
    Reflect.set(window, 'connections', 0)
    window.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super(configuration)
        Reflect.set(window, 'connections', Reflect.get(window, 'connections') + 1)
      }
    }
  })

const connectionsOf = (page: Page): Promise<number> => page.evaluate(() => Reflect.get(window, 'connections') as number)

/** Settles once the page shows so many percent of a transfer. */
const arrivedPercent = (page: Page, percent: number): Promise<unknown> =>
  page.waitForFunction(
    (least) => Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')) >= least,
    percent,
    { timeout: 60_000 },
  )

const shownPercent = async (page: Page): Promise<number> =>
  Number(await page.getByRole('progressbar').getAttribute('aria-valuenow'))

/** Offers a file of so many bytes, of which only a part leaves until more is let pass. */
async function offer(from: Page, folder: string, { bytes, passing }: { bytes: number; passing: number }) {
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes })
  await letPass(from, passing)
  await sendFiles(from, [file.path])
  return file
}

/** Lets a bit more than half of a file through, which the other device has then. */
async function sendHalf({ creator, joiner }: Devices, folder: string): Promise<RandomFile> {
  const file = await offer(creator, folder, { bytes: 40 * megabyte, passing: 25 * megabyte })
  await joiner.getByRole('button', { name: 'Accept' }).click()
  await arrivedPercent(joiner, 50)
  return file
}

test('POR-04 a connection cut for 5 seconds at half of 300 MB goes on', async ({ devices, folder }) => {
  const { creator, joiner, ways } = devices
  const file = await offer(creator, folder, { bytes: 300 * megabyte, passing: everything })

  const saving = acceptFile(joiner, folder)
  // Looked at where the bytes pass: a page may tell of the half when a quick machine is through with the rest.
  await expect.poll(ways.passedBytes, { intervals: [5], timeout: 60_000 }).toBeGreaterThan(150 * megabyte)
  ways.cut()
  const at = await shownPercent(joiner)
  await joiner.waitForTimeout(5000)
  const after = await shownPercent(joiner)
  ways.mend()
  const saved = await saving

  expect(after - at).toBeLessThan(10)
  expect(saved.sha256).toBe(file.sha256)
})

test('POR-04 a device whose way to the other one is gone offers another for the same connection, and the transfer goes on over it', async ({
  devices,
  folder,
}) => {
  const { creator, joiner, ways } = devices
  const file = await offer(creator, folder, { bytes: 40 * megabyte, passing: 20 * megabyte })
  const saving = acceptFile(joiner, folder)
  await arrivedPercent(joiner, 30)

  ways.cutThese()
  const before = ways.passedBytes()
  await letPass(creator, everything)

  expect((await saving).sha256).toBe(file.sha256)
  expect(ways.passedBytes() - before).toBeGreaterThan(15 * megabyte)
  for (const page of [creator, joiner]) {
    await expect(page.getByText('Direct', { exact: true })).toBeVisible()
    expect(await connectionsOf(page)).toBe(1)
  }
})

test('after a crash of the receiving page Resume brings both together without a code, and only what is missing comes again', async ({
  devices,
  folder,
}) => {
  const { creator, joiner, other, ways, proxy } = devices
  const file = await sendHalf(devices, folder)

  await joiner.close()
  await expect(creator.getByText('Reconnecting to the other device')).toBeVisible({ timeout: 40_000 })
  await letPass(creator, everything)
  const before = ways.passedBytes()
  const again = await atPortal(other, proxy.url)
  await expect(again.getByRole('button', { name: 'Resume film.bin' })).toBeVisible()
  await expectAccessible(again, 'a portal that broke off')
  const saved = await saveDownload(again, folder, () => again.getByRole('button', { name: 'Resume film.bin' }).click())

  expect(saved.sha256).toBe(file.sha256)
  expect(ways.passedBytes() - before).toBeLessThan(34 * megabyte)
  await expect(again.getByText('Verified (PIN)')).toBeVisible()
})

test('after a crash of the sending page the file is chosen again and only what is missing travels; another one is refused', async ({
  context,
  devices,
  folder,
}) => {
  const { creator, joiner, ways, proxy } = devices
  const foreign = await makeRandomFile({ folder, name: 'other.bin', bytes: 40 * megabyte })
  const file = await sendHalf(devices, folder)

  await creator.close()
  const before = ways.passedBytes()
  const again = await atPortal(context, proxy.url)
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
})

test('a transfer does not notice that the server is out of reach, and goes on by the relay and directly again', async ({
  devices,
  folder,
}) => {
  const { creator, joiner, ways, proxy } = devices
  const first = await offer(creator, folder, { bytes: 40 * megabyte, passing: 20 * megabyte })
  const saving = acceptFile(joiner, folder)
  await arrivedPercent(joiner, 20)
  const letThrough = proxy.drop()
  await letPass(creator, everything)
  expect((await saving).sha256).toBe(first.sha256)
  await expect(joiner.getByText('Direct', { exact: true })).toBeVisible()
  letThrough()

  const second = await offer(joiner, folder, { bytes: 60 * megabyte, passing: 30 * megabyte })
  const savingSecond = acceptFile(creator, folder)
  await arrivedPercent(creator, 30)
  ways.cut()
  await expect(creator.getByText('Relayed', { exact: true })).toBeVisible({ timeout: 60_000 })
  ways.mend()
  await letPass(joiner, everything)
  proxy.drop()()
  await expect(creator.getByText('Direct', { exact: true })).toBeVisible({ timeout: 60_000 })

  expect((await savingSecond).sha256).toBe(second.sha256)
})

test('with the server and the direct line lost at once both devices find each other again without a code', async ({
  devices,
  folder,
}) => {
  const { creator, joiner, ways, proxy } = devices
  const file = await offer(creator, folder, { bytes: 40 * megabyte, passing: 25 * megabyte })
  const saving = acceptFile(joiner, folder)
  await arrivedPercent(joiner, 30)

  ways.cut()
  const letThrough = proxy.drop()
  await expect(joiner.getByText('Reconnecting to the other device')).toBeVisible({ timeout: 40_000 })
  await expect(creator.getByText('Reconnecting to the other device')).toBeVisible({ timeout: 40_000 })
  await letPass(creator, everything)
  ways.mend()
  letThrough()

  expect((await saving).sha256).toBe(file.sha256)
  await expect(joiner.getByText('Verified (PIN)')).toBeVisible()
})
