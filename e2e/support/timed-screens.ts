import { type BrowserContext, expect, type Page } from '@playwright/test'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from './account/account.ts'
import { openFiles } from './account/open-files.ts'
import { openDevices } from './account/security.ts'
import { dropZone, expectFiles, fileRow } from './account/users.ts'
import { jumpDeviceClock, setDeviceClock } from './browser/device-clock.ts'
import { dropFiles } from './browser/drop-files.ts'
import { makeRandomFile } from './files/random-file.ts'
import { messageCards, messageInput, openChat } from './messages.ts'
import type { RunningServer } from './server/server.ts'
import {
  createSession,
  messageWith,
  sendSessionMessage,
  sessionDropZone,
  sessionFile,
  showChat,
  showFiles,
} from './sessions.ts'

const minute = 60_000
/** The lifetime of new files is 5 minutes. */
/** One for each jump of the clock, until the page knows of it. */
const maxRefreshes = 5
const remaining = /^0h [345]m remaining$/
const goneIn = /^Gone in [345] min$/

interface TimedScreensInput {
  readonly server: RunningServer
  readonly folder: string
  readonly anotherBrowser: (options?: { timezoneId: string; baseURL: string }) => Promise<BrowserContext>
  /** How far the clock of the device is ahead of the server's. */
  readonly aheadMs: number
  /** What it is set to while the pages are open. */
  readonly jumps: readonly number[]
  readonly timezoneId: string
}

/** Uses every screen with a time on it, on a device whose clock is wrong, and expects what the server's clock says. */
export async function checkTimedScreens(input: TimedScreensInput): Promise<void> {
  const { server, folder, aheadMs, jumps, timezoneId } = input
  const account = await createAccount(server.url)
  const context = await input.anotherBrowser({ timezoneId, baseURL: server.url })
  await setDeviceClock(context, aheadMs)
  const page = await context.newPage()
  let refreshes = 0
  page.on('request', (request) => {
    if (request.url().includes('grant_type=refresh_token')) refreshes += 1
  })
  await openFiles(page, account)
  const { path } = await makeRandomFile({ folder, name: 'fresh.bin', bytes: 50_000 })
  await dropFiles(page, dropZone(page), [path])
  await expectFile(page)

  const visitor = await context.newPage()
  await visitor.goto(await shareNewest(account, server.url))
  await expectShared(visitor)

  await openDevices(page)
  await expect(page.getByText('Last used just now').first()).toBeVisible()
  await openChat(page)
  await messageInput(page).fill('fresh words')
  await messageInput(page).press('Control+Enter')
  await expectMessage(page)

  await createSession(page)
  await sendSessionMessage(page, 'fresh to all')
  await showFiles(page)
  await dropFiles(page, sessionDropZone(page), [path])
  await expectSession(page)

  for (const jump of jumps) {
    for (const one of [page, visitor]) await jumpDeviceClock(one, jump)
    await becomeVisible(visitor)
    await expectShared(visitor)
    // A press counts as activity, which checks the lifetime of the auth session.
    await page.keyboard.press('Shift')
    await expectSession(page)
    await openChat(page)
    await expectMessage(page)
    await page.getByRole('link', { name: 'Files', exact: true }).click()
    await expectFile(page)
    await page.getByRole('link', { name: 'Sessions' }).click()
  }
  // Not one for each call, which the server would limit.
  expect(refreshes).toBeLessThanOrEqual(maxRefreshes)
  await page.goto('/?tab=files')
  await expectFile(page)
  await visitor.getByRole('button', { name: 'Download' }).click()
  await expect(visitor.getByText('Saved to your downloads')).toBeVisible()
}

async function expectFile(page: Page): Promise<void> {
  await expectFiles(page)
  const row = fileRow(page, 'fresh.bin')
  await expect(row.getByText(remaining)).toBeVisible()
  await expect(row.getByRole('button', { name: /^Copy Link/ })).toBeEnabled()
}

async function expectMessage(page: Page): Promise<void> {
  const card = messageCards(page).filter({ hasText: 'fresh words' })
  await expect(card.getByText(goneIn)).toBeVisible()
  await expect(card.getByText('according to the sending device’s clock')).toBeHidden()
}

async function expectSession(page: Page): Promise<void> {
  await showChat(page)
  await expect(messageWith(page, 'fresh to all')).toBeVisible()
  await showFiles(page)
  await expect(sessionFile(page, 'fresh.bin').getByText(/^[\d]+h \d+m remaining$/)).toBeVisible()
}

async function expectShared(visitor: Page): Promise<void> {
  await expect(visitor.getByText(remaining)).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Download' })).toBeVisible()
}

/** Lets a page compute its times again, as when its tab is shown. */
const becomeVisible = (page: Page): Promise<unknown> =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

async function shareNewest({ call, accountKey }: Account, origin: string): Promise<string> {
  const [file] = (await call(files.list, {})).files
  if (!file) throw new Error('No file is listed')
  expect(file.expiresAt - Date.now()).toBeLessThanOrEqual(5 * minute)
  return shareFile(call, { id: file.id, encryptedFileKey: file.encryptedFileKey, accountKey, origin })
}
