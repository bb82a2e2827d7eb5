import { type BrowserContext, expect, type Page } from '@playwright/test'
import { type Saved, saveDownload } from './downloads.ts'

/** What a browser without a network needs, so that two of its pages find a direct way to each other on this machine. */
export const direct = {
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
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

/** Lets the pages of a context learn no address of another device, as behind walls that let nothing through. */
export const closeDirectWays = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    RTCPeerConnection.prototype.addIceCandidate = async () => undefined
  })

/** A page of somebody without an account, at the portal. */
export async function atPortal(context: BrowserContext, url: string): Promise<Page> {
  await context.grantPermissions(['camera'], { origin: url })
  const page = await context.newPage()
  await page.goto(`${url}/portal?anonymous=true`)
  return page
}

/** Opens a portal and answers its code. */
export async function openPortal(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create Portal' }).click()
  await expect(page.getByRole('heading', { name: 'Portal Opened' })).toBeVisible()
  return readCode(page)
}

export const readCode = async (page: Page): Promise<string> =>
  (await page.locator('.pin-plates').textContent())?.replace(/\D/g, '') ?? ''

/** A wrong code that leads to the same portal. */
export const wrongCodeFor = (pin: string): string => pin.slice(0, -1) + ((Number(pin.at(-1)) + 1) % 10)

export async function joinPortal(page: Page, pin: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Portal code' }).fill(pin)
  await page.getByRole('button', { name: 'Join', exact: true }).click()
}

const unverifiedQuestion = (page: Page) => page.getByRole('alertdialog', { name: 'Connect to an unverified device?' })

/** Answers the question before a device is connected that cannot prove the code. */
export async function answerUnverified(page: Page, answer: 'Allow' | 'Decline' = 'Allow'): Promise<void> {
  await unverifiedQuestion(page).getByRole('button', { name: answer }).click()
  await expect(unverifiedQuestion(page)).toHaveCount(0)
}

/** Two people whose devices are connected. */
export async function connect(creator: Page, joiner: Page): Promise<string> {
  const pin = await openPortal(creator)
  await joinPortal(joiner, pin)
  await expect(creator.getByText('Device Connected!')).toBeVisible({ timeout: 30_000 })
  await expect(joiner.getByText('Ready to send or receive files')).toBeVisible({ timeout: 30_000 })
  return pin
}

/** A page in each of two browsers, of people without accounts whose devices are connected; the first has opened the portal. */
export async function connectAtPortal(
  [creating, joining]: readonly [BrowserContext, BrowserContext],
  url: string,
): Promise<readonly [creator: Page, joiner: Page]> {
  const [creator, joiner] = [await atPortal(creating, url), await atPortal(joining, url)]
  await connect(creator, joiner)
  return [creator, joiner]
}

/** Hands files to the portal as its file dialog does. */
export async function sendFiles(page: Page, paths: readonly string[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Send File' }).click(),
  ])
  await chooser.setFiles([...paths])
}

/** Accepts what is offered, and waits until the browser has saved it. */
export const acceptFile = (page: Page, folder: string): Promise<Saved> =>
  saveDownload(page, folder, () => page.getByRole('button', { name: 'Accept' }).click())

/** Has the pages of a context keep files back from so many bytes on, until they are let go on. */
export const holdFiles = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const send = RTCDataChannel.prototype.send as (this: RTCDataChannel, data: ArrayBufferView<ArrayBuffer>) => void
    const held: (() => void)[] = []
    let sent = 0
    let limit = Number.POSITIVE_INFINITY
    RTCDataChannel.prototype.send = function (this: RTCDataChannel, data: unknown) {
      const frame = data as ArrayBufferView<ArrayBuffer>
      // What was held back longer than the line stood is lost with it.
      const sendFrame = () => void (this.readyState === 'open' && send.call(this, frame))
      if (this.label !== 'px-bulk') return send.call(this, frame)
      sent += frame.byteLength
      if (sent > limit) held.push(sendFrame)
      else sendFrame()
    }
    Reflect.set(window, 'holdFilesFrom', (bytes: number) => {
      limit = bytes
      sent = 0
      for (const sendFrame of held.splice(0)) sendFrame()
    })
  })

/** From now on, so many more bytes of files leave this page; what was held back leaves first. */
export const letPass = (page: Page, bytes: number): Promise<void> =>
  page.evaluate((most) => (Reflect.get(window, 'holdFilesFrom') as (most: number) => void)(most), bytes)

/** Hands a folder to the portal as its folder dialog does. */
export async function sendFolder(page: Page, path: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Send Folder' }).click(),
  ])
  await chooser.setFiles(path)
}

/** The four pictures that people compare, by their names, also while they are folded away. */
export async function picturesOf(page: Page): Promise<string[]> {
  const pictures = page.locator('details ol li')
  await expect(pictures).toHaveCount(4)
  return (await pictures.allTextContents()).map((text) => text.replace(/[^A-Z]+/i, ''))
}
