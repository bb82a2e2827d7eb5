import type { RandomFile } from '../../e2e/support/files/random-file.ts'
import { measure, type Run } from '../lib/compare.ts'
import { type Browser, openBrowser, type Page } from '../lib/devtools.ts'
import { largestRendererBytes } from '../lib/processes.ts'
import type { DelayedLink } from './delayed-link.ts'
import { verifySaved } from './files-page.ts'

/** Two browsers with one page each. */
export interface BrowserPair {
  readonly sender: BrowserWithPage
  readonly receiver: BrowserWithPage
}

interface BrowserWithPage {
  readonly browser: Browser
  readonly page: Page
}

/** Opens the URL in two browsers that can connect directly, or through `link` if given, and closes both after the work. */
export async function withPair<Result>(
  url: string,
  work: (pair: BrowserPair) => Promise<Result>,
  link: (Pick<DelayedLink, 'script'> & Partial<DelayedLink>) | null = null,
): Promise<Result> {
  const browserOptions = { isDirect: true, ...(link && { script: link.script }) }
  const browsers = [await openBrowser(browserOptions), await openBrowser(browserOptions)] as const
  try {
    const open = async (browser: Browser): Promise<BrowserWithPage> => {
      await browser.allowDirectConnections(new URL(url).origin)
      const page = await browser.open(url)
      link?.attach?.(page)
      return { browser, page }
    }
    return await work({ sender: await open(browsers[0]), receiver: await open(browsers[1]) })
  } finally {
    for (const browser of browsers) await browser.close()
  }
}

/** Measures a transfer: CPU time of the sending browser, and memory of the larger page. */
export const measurePair = (
  serverId: number,
  { sender, receiver }: BrowserPair,
  transfer: () => Promise<number>,
): Promise<Run> =>
  measure(
    {
      serverId,
      clientId: sender.browser.processId,
      clientBytes: () =>
        Math.max(largestRendererBytes(sender.browser.processId), largestRendererBytes(receiver.browser.processId)),
    },
    transfer,
  )

/** Connects two browsers by a portal without an account, and sends a small file first to warm up their code. */
export const withPortal = <Result>(
  serverUrl: string,
  small: RandomFile,
  work: (pair: BrowserPair) => Promise<Result>,
  link?: Parameters<typeof withPair>[2],
): Promise<Result> =>
  withPair(
    `${serverUrl}/portal?anonymous=true`,
    async (pair) => {
      await connectPortal(pair)
      await sendThroughPortal(pair, small)
      return work(pair)
    },
    link,
  )

/** Creates a portal in one browser and joins it in the other through the page. */
async function connectPortal({ sender, receiver }: BrowserPair): Promise<void> {
  await clickButton(receiver.page, 'Create Portal')
  await receiver.page.waitForSelector('.pin-plates')
  const pin = await receiver.page.run(() => document.querySelector('.pin-plates')?.textContent.replace(/\D/g, '') ?? '')
  await sender.page.waitForSelector('main input[autocomplete="one-time-code"], main input[inputmode="numeric"]')
  await sender.page.type('main input[autocomplete="one-time-code"], main input[inputmode="numeric"]', pin)
  await clickButton(sender.page, 'Join')
  await awaitReady(sender.page)
  await awaitReady(receiver.page)
}

/**
 * Sends a file through the portal. Resolves to the seconds from the click on Accept until the receiving page shows that
 * the file is complete; throws if the saved file differs.
 */
export async function sendThroughPortal({ sender, receiver }: BrowserPair, file: RandomFile): Promise<number> {
  const path = receiver.browser.nextDownload()
  await awaitReady(sender.page)
  const completed = acceptTransfer(receiver.page)
  await sender.page.chooseFiles('main input[type=file]', [file.path])
  const seconds = await completed
  await verifySaved(await path, file)
  await awaitReady(receiver.page)
  return seconds
}

const awaitReady = (page: Page): Promise<void> => waitForButton(page, 'Send File', false)
const clickButton = (page: Page, label: string): Promise<void> => waitForButton(page, label, true)

/** Waits for an enabled button, and clicks it if `isPressed`. */
const waitForButton = (page: Page, label: string, isClicked: boolean): Promise<void> =>
  page.run(
    (label, isPressed) =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(look)
        observer.observe(document, { childList: true, subtree: true, attributes: true })
        look()
        function look() {
          const buttons = [...document.querySelectorAll('button')]
          const button = buttons.find(({ textContent, disabled }) => textContent.trim() === label && !disabled)
          if (!button) return
          observer.disconnect()
          if (isPressed) button.click()
          resolve()
        }
      }),
    label,
    isClicked,
  )

const acceptTransfer = (page: Page): Promise<number> =>
  page.run(
    () =>
      new Promise<number>((resolve) => {
        let acceptedAt = 0
        let hasStarted = false
        const observer = new MutationObserver(look)
        observer.observe(document, { childList: true, subtree: true, characterData: true })
        look()
        function look() {
          if (acceptedAt === 0) {
            const buttons = [...document.querySelectorAll('button')]
            const accept = buttons.find(({ textContent }) => textContent.trim() === 'Accept')
            if (!accept) return
            acceptedAt = performance.now()
            accept.click()
          }
          const isComplete = document.querySelector('#portal-transfer')?.textContent === 'Complete'
          // The previous transfer is still shown for a moment.
          if (!isComplete) hasStarted = true
          if (!isComplete || !hasStarted) return
          observer.disconnect()
          resolve((performance.now() - acceptedAt) / 1000)
        }
      }),
  )
