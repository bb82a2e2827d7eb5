import { type BrowserContext, expect, type Page } from '@playwright/test'
import { executablePath } from '../browser/executable-path.ts'
import { type SavedDownload, saveDownload } from '../files/downloads.ts'

/** Launch options with which two pages connect directly on a machine without a network. */
export const directConnectionOptions = {
  executablePath,
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--allow-loopback-in-peer-connection',
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    '--disable-features=WebRtcHideLocalIpsWithMdns',
  ],
}

/** Drops all ICE candidates in the pages of a context, as behind a strict firewall. */
export const blockDirectPaths = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    RTCPeerConnection.prototype.addIceCandidate = async () => undefined
  })

/** Opens the portal page without an account. */
export async function openPortalPage(context: BrowserContext, url: string): Promise<Page> {
  await context.grantPermissions(['camera'], { origin: url })
  const page = await context.newPage()
  await page.goto(`${url}/portal?anonymous=true`)
  return page
}

/** Opens a portal and resolves with its code. */
export async function openPortal(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create Portal' }).click()
  await expect(page.getByRole('heading', { name: 'Portal Opened' })).toBeVisible()
  return readCode(page)
}

export const readCode = async (page: Page): Promise<string> =>
  (await page.locator('.pin-plates').textContent())?.replace(/\D/g, '') ?? ''

/** A wrong code with the prefix of the same portal. */
export const wrongCodeFor = (pin: string): string => pin.slice(0, -1) + ((Number(pin.at(-1)) + 1) % 10)

export async function joinPortal(page: Page, pin: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Portal code' }).fill(pin)
  await page.getByRole('button', { name: 'Join', exact: true }).click()
}

const unverifiedQuestion = (page: Page) => page.getByRole('alertdialog', { name: 'Connect to an unverified device?' })

/** Answers the question whether to connect a device that cannot prove the code. */
export async function answerUnverified(page: Page, answer: 'Allow' | 'Decline' = 'Allow'): Promise<void> {
  await unverifiedQuestion(page).getByRole('button', { name: answer }).click()
  await expect(unverifiedQuestion(page)).toHaveCount(0)
}

/** Connects two pages and resolves with the code. */
export async function connect(creator: Page, joiner: Page): Promise<string> {
  const pin = await openPortal(creator)
  await joinPortal(joiner, pin)
  await expect(creator.getByText('Device Connected!')).toBeVisible()
  await expect(joiner.getByText('Ready to send or receive files')).toBeVisible()
  return pin
}

/** Opens a page without an account in each of two contexts and connects them; the first one creates the portal. */
export async function connectAtPortal(
  [creating, joining]: readonly [BrowserContext, BrowserContext],
  url: string,
): Promise<readonly [creator: Page, joiner: Page]> {
  const [creator, joiner] = [await openPortalPage(creating, url), await openPortalPage(joining, url)]
  await connect(creator, joiner)
  return [creator, joiner]
}

/** Sends files with the file chooser of the portal. */
export async function sendFiles(page: Page, paths: readonly string[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Send File' }).click(),
  ])
  await chooser.setFiles([...paths])
}

/** Accepts the offer and waits until the browser has saved the file. */
export const acceptFile = (page: Page, folder: string): Promise<SavedDownload> =>
  saveDownload(page, folder, () => page.getByRole('button', { name: 'Accept' }).click())

/** Makes the pages of a context hold back file data beyond the number of bytes that `allowBytes` sets. */
export const holdFileData = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const send = RTCDataChannel.prototype.send as (this: RTCDataChannel, data: ArrayBufferView<ArrayBuffer>) => void
    const queued: (() => void)[] = []
    let sent = 0
    let limit = Number.POSITIVE_INFINITY
    RTCDataChannel.prototype.send = function (this: RTCDataChannel, data: unknown) {
      const frame = data as ArrayBufferView<ArrayBuffer>
      // Data that is held back longer than the connection lasts is lost.
      const sendFrame = () => void (this.readyState === 'open' && send.call(this, frame))
      if (this.label !== 'px-bulk') return send.call(this, frame)
      sent += frame.byteLength
      if (sent > limit) queued.push(sendFrame)
      else sendFrame()
    }
    Reflect.set(window, 'holdFilesFrom', (bytes: number) => {
      limit = bytes
      sent = 0
      for (const sendFrame of queued.splice(0)) sendFrame()
    })
  })

/** Lets the page send this many more bytes of files; held back data goes first. */
export const allowBytes = (page: Page, bytes: number): Promise<void> =>
  page.evaluate((most) => (Reflect.get(window, 'holdFilesFrom') as (most: number) => void)(most), bytes)

/** Sends a folder with the folder chooser of the portal. */
export async function sendFolder(page: Page, path: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Send Folder' }).click(),
  ])
  await chooser.setFiles(path)
}

/** The names of the 4 SAS emoji, also while they are collapsed. */
export async function sasEmojiOf(page: Page): Promise<string[]> {
  const emoji = page.locator('details ol li')
  await expect(emoji).toHaveCount(4)
  return (await emoji.allTextContents()).map((text) => text.replace(/[^A-Z]+/i, ''))
}
