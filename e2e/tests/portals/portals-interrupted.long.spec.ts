import type { BrowserContext, Page } from '@playwright/test'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile, type RandomFile } from '../../support/files/random-file.ts'
import { test as base, expect } from '../../support/journey.ts'
import { type HostileProxy, startHostileProxy } from '../../support/network/hostile-proxy.ts'
import { relayDirectPaths } from '../../support/network/relay-direct-paths.ts'
import type { UdpRelays } from '../../support/network/udp-relays.ts'
import {
  acceptFile,
  allowBytes,
  connectAtPortal,
  directConnectionOptions,
  holdFileData,
  openPortalPage,
  sendFiles,
} from '../../support/portals/portals.ts'

const megabyte = 1_000_000
const unlimitedBytes = 10_000 * megabyte

/** Two connected devices with relays on all their paths that can be cut. */
interface ConnectedDevices {
  readonly creator: Page
  readonly joiner: Page
  /** The context of the joiner. */
  readonly joinerContext: BrowserContext
  readonly relays: UdpRelays
  readonly proxy: HostileProxy
}

const test = base.extend<{ devices: ConnectedDevices }>({
  devices: async ({ context, anotherBrowser, server }, use) => {
    const proxy = await startHostileProxy(server.url, {})
    const joinerContext = await anotherBrowser()
    const relays = await relayDirectPaths([context, joinerContext])
    for (const one of [context, joinerContext]) {
      await holdFileData(one)
      await trackPeerConnections(one)
    }
    const [creator, joiner] = await connectAtPortal([context, joinerContext], proxy.url)
    await expect(creator.getByText('Direct', { exact: true })).toBeVisible()
    await use({ creator, joiner, joinerContext, relays, proxy })
    relays.close()
    await proxy.close()
  },
})

test.use({ launchOptions: directConnectionOptions })
// Devices give up a connection only after seconds, and every packet passes this process.
test.describe.configure({ timeout: 600_000 })

/** Counts the peer connections that the pages of a context create. */
const trackPeerConnections = (context: BrowserContext): Promise<unknown> =>
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

const countPeerConnections = (page: Page): Promise<number> =>
  page.evaluate(() => Reflect.get(window, 'connections') as number)

/** Resolves once the page shows at least this percentage of a transfer. */
const waitForPercent = (page: Page, percent: number): Promise<unknown> =>
  page.waitForFunction(
    (minPercent) => Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')) >= minPercent,
    percent,
    { timeout: 240_000 },
  )

/** Offers a file and lets only `passing` bytes leave the page. */
async function offerFile(
  from: Page,
  folder: string,
  { bytes, passing: allowedBytes }: { bytes: number; passing: number },
) {
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes })
  await allowBytes(from, allowedBytes)
  await sendFiles(from, [file.path])
  return file
}

/** Sends a bit more than half of a file to the other device. */
async function sendHalf({ creator, joiner }: ConnectedDevices, folder: string): Promise<RandomFile> {
  const file = await offerFile(creator, folder, { bytes: 40 * megabyte, passing: 25 * megabyte })
  await joiner.getByRole('button', { name: 'Accept' }).click()
  await waitForPercent(joiner, 50)
  return file
}

test('POR-04 after the loss of its path a device restarts ICE, and the transfer resumes on the same connection', async ({
  devices,
  folder,
}) => {
  const { creator, joiner, relays } = devices
  const file = await offerFile(creator, folder, { bytes: 40 * megabyte, passing: 20 * megabyte })
  const downloaded = acceptFile(joiner, folder)
  await waitForPercent(joiner, 30)

  relays.cutCurrentPaths()
  const bytesBefore = relays.forwardedBytes()
  await allowBytes(creator, unlimitedBytes)

  expect((await downloaded).sha256).toBe(file.sha256)
  expect(relays.forwardedBytes() - bytesBefore).toBeGreaterThan(15 * megabyte)
  for (const page of [creator, joiner]) {
    await expect(page.getByText('Direct', { exact: true })).toBeVisible()
    expect(await countPeerConnections(page)).toBe(1)
  }
})

test('after a crash of the receiving page Resume reconnects without a code, and only missing data is sent again', async ({
  devices,
  folder,
}) => {
  const { creator, joiner, joinerContext, relays, proxy } = devices
  const file = await sendHalf(devices, folder)

  await joiner.close()
  await expect(creator.getByText('Reconnecting to the other device')).toBeVisible()
  await allowBytes(creator, unlimitedBytes)
  const bytesBefore = relays.forwardedBytes()
  const reopened = await joinerContext.newPage()
  await reopened.goto(proxy.url)
  const trace = reopened.getByRole('status').filter({ hasText: 'A portal was interrupted.' })
  await trace.getByRole('button', { name: 'Resume' }).click()
  await expect(reopened.getByRole('button', { name: 'Resume film.bin' })).toBeVisible()
  await expectAccessible(reopened, 'an interrupted portal')
  const saved = await saveDownload(reopened, folder, () =>
    reopened.getByRole('button', { name: 'Resume film.bin' }).click(),
  )

  expect(saved.sha256).toBe(file.sha256)
  expect(relays.forwardedBytes() - bytesBefore).toBeLessThan(34 * megabyte)
  await expect(reopened.getByText('Verified (PIN)')).toBeVisible()
})

test('after a crash of the sending page the same file is chosen again and only missing data is sent; another file is rejected', async ({
  context,
  devices,
  folder,
}) => {
  const { creator, joiner, relays, proxy } = devices
  const otherFile = await makeRandomFile({ folder, name: 'other.bin', bytes: 40 * megabyte })
  const file = await sendHalf(devices, folder)

  await creator.close()
  const bytesBefore = relays.forwardedBytes()
  const reopened = await openPortalPage(context, proxy.url)
  const chooseFile = async (path: string) => {
    const button = reopened.getByRole('button', { name: 'Choose file film.bin' })
    const [chooser] = await Promise.all([reopened.waitForEvent('filechooser'), button.click()])
    await chooser.setFiles(path)
  }
  await chooseFile(otherFile.path)
  await expect(reopened.getByRole('alert').getByText('This isn’t the same file, or it has changed.')).toBeVisible()
  const saved = await saveDownload(joiner, folder, () => chooseFile(file.path))

  expect(saved.sha256).toBe(file.sha256)
  expect(relays.forwardedBytes() - bytesBefore).toBeLessThan(34 * megabyte)
})

test('a transfer is unaffected by an unreachable server, falls back to the relay and returns to a direct path', async ({
  devices,
  folder,
}) => {
  const { creator, joiner, relays, proxy } = devices
  const first = await offerFile(creator, folder, { bytes: 40 * megabyte, passing: 20 * megabyte })
  const downloaded = acceptFile(joiner, folder)
  await waitForPercent(joiner, 20)
  const reconnect = proxy.disconnect()
  await allowBytes(creator, unlimitedBytes)
  expect((await downloaded).sha256).toBe(first.sha256)
  await expect(joiner.getByText('Direct', { exact: true })).toBeVisible()
  reconnect()

  const second = await offerFile(joiner, folder, { bytes: 60 * megabyte, passing: 30 * megabyte })
  const secondDownloaded = acceptFile(creator, folder)
  await waitForPercent(creator, 30)
  relays.cutAll()
  await expect(creator.getByText('Relayed', { exact: true })).toBeVisible({ timeout: 240_000 })
  relays.restore()
  await allowBytes(joiner, unlimitedBytes)
  proxy.disconnect()()
  await expect(creator.getByText('Direct', { exact: true })).toBeVisible({ timeout: 240_000 })

  expect((await secondDownloaded).sha256).toBe(second.sha256)
})

test('after losing the server and the direct path at once both devices reconnect without a code', async ({
  devices,
  folder,
}) => {
  const { creator, joiner, relays, proxy } = devices
  const file = await offerFile(creator, folder, { bytes: 40 * megabyte, passing: 25 * megabyte })
  const downloaded = acceptFile(joiner, folder)
  await waitForPercent(joiner, 30)

  relays.cutAll()
  const reconnect = proxy.disconnect()
  await expect(joiner.getByText('Reconnecting to the other device')).toBeVisible()
  await expect(creator.getByText('Reconnecting to the other device')).toBeVisible()
  await allowBytes(creator, unlimitedBytes)
  relays.restore()
  reconnect()

  expect((await downloaded).sha256).toBe(file.sha256)
  await expect(joiner.getByText('Verified (PIN)')).toBeVisible()
})
