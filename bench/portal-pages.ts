import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type RandomFile, sha256Of } from '../e2e/support/random-file.ts'
import { measure, type Run } from './compare.ts'
import { type Browser, openBrowser, type Page } from './devtools.ts'
import type { FarLine } from './far-line.ts'
import { largestRendererBytes } from './processes.ts'

/** Two browsers of two people, each with a page. */
export interface Pair {
  readonly sender: End
  readonly receiver: End
}

interface End {
  readonly browser: Browser
  readonly page: Page
}

/** Opens the address in two browsers that find a direct way to each other, and closes both after the work. With a line they meet over that. */
export async function withPair<Result>(
  url: string,
  work: (pair: Pair) => Promise<Result>,
  line: (Pick<FarLine, 'script'> & Partial<FarLine>) | null = null,
): Promise<Result> {
  const wishes = { isDirect: true, ...(line && { script: line.script }) }
  const browsers = [await openBrowser(wishes), await openBrowser(wishes)] as const
  try {
    const open = async (browser: Browser): Promise<End> => {
      await browser.allowDirect(new URL(url).origin)
      const page = await browser.open(url)
      line?.lead?.(page)
      return { browser, page }
    }
    return await work({ sender: await open(browsers[0]), receiver: await open(browsers[1]) })
  } finally {
    for (const browser of browsers) await browser.close()
  }
}

/** Sees what a transfer costs: processor time of the sending browser, and memory of the larger page. */
export const watchPair = (
  serverId: number,
  { sender, receiver }: Pair,
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

/** Where somebody without an account opens a portal. */
export const portalAt = (serverUrl: string): string => `${serverUrl}/portal?anonymous=true`

/** Opens a portal in one browser and joins it in the other, as two people do. */
export async function connectPortal({ sender, receiver }: Pair): Promise<void> {
  await pressNamed(receiver.page, 'Create Portal')
  await receiver.page.appears('.pin-plates')
  const pin = await receiver.page.run(() => document.querySelector('.pin-plates')?.textContent.replace(/\D/g, '') ?? '')
  await sender.page.appears('main input[autocomplete="one-time-code"], main input[inputmode="numeric"]')
  await sender.page.type('main input[autocomplete="one-time-code"], main input[inputmode="numeric"]', pin)
  await pressNamed(sender.page, 'Join')
  await awaitReady(sender.page)
  await awaitReady(receiver.page)
}

/**
 * Sends a file through the portal. Gives seconds from the press on Accept until the receiving page says that the file is
 * complete; throws unless what was saved is what was sent.
 */
export async function sendThroughPortal({ sender, receiver }: Pair, file: RandomFile, folder: string): Promise<number> {
  const saved = await mkdtemp(join(folder, 'saved-'))
  await receiver.browser.saveInto(saved)
  const path = receiver.browser.nextDownload()
  await awaitReady(sender.page)
  const taken = acceptAndAwait(receiver.page)
  await sender.page.chooseFiles('main input[type=file]', [file.path])
  const seconds = await taken
  if ((await sha256Of(await path)) !== file.sha256) throw new Error('What was saved is not what was sent')
  await rm(saved, { recursive: true })
  await awaitReady(receiver.page)
  return seconds
}

const awaitReady = (page: Page): Promise<void> => whenNamed(page, 'Send File', false)
const pressNamed = (page: Page, label: string): Promise<void> => whenNamed(page, label, true)

/** Waits for a button that can be pressed, and presses it if asked to. */
const whenNamed = (page: Page, label: string, isPressed: boolean): Promise<void> =>
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
    isPressed,
  )

const acceptAndAwait = (page: Page): Promise<number> =>
  page.run(
    () =>
      new Promise<number>((resolve) => {
        let acceptedAt = 0
        let hasBegun = false
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
          // The transfer before this one is shown for a moment more.
          if (!isComplete) hasBegun = true
          if (!isComplete || !hasBegun) return
          observer.disconnect()
          resolve((performance.now() - acceptedAt) / 1000)
        }
      }),
  )
