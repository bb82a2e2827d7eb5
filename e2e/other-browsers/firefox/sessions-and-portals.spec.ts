import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { watchForErrors } from '../../support/browser/guard.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import {
  acceptFile,
  blockDirectPaths,
  connect,
  directConnectionOptions,
  openPortalPage,
} from '../../support/portals/portals.ts'
import {
  hostSession,
  joinAsGuest,
  messageWith,
  sendSessionMessage,
  sessionFile,
  showFiles,
} from '../../support/sessions.ts'
import { chooseFiles, expect, test } from './journey.ts'

const megabyte = 1024 * 1024

test('two users join a session by PIN, chat and share a file', async ({ page, server, anotherBrowser, folder }) => {
  const pin = await hostSession(page, server.url)
  const other = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(other, pin)
  for (const [from, to] of [
    [page, other],
    [other, page],
  ] as const) {
    const text = from === page ? 'Are you there?' : 'Here I am'
    await sendSessionMessage(from, text)
    await expect(messageWith(to, text)).toBeVisible()
  }
  const file = await makeRandomFile({ folder, name: 'plan.bin', bytes: 7 * megabyte })
  for (const one of [page, other]) await showFiles(one)
  await chooseFiles(other, [file.path])
  await expect(sessionFile(page, file.name)).toBeVisible({ timeout: 60_000 })

  const download = () =>
    sessionFile(page, file.name)
      .getByRole('button', { name: /^Download/ })
      .click()
  expect((await saveDownload(page, folder, download)).sha256).toBe(file.sha256)
})

test('a portal connects two Firefox browsers directly and transfers files both ways', async ({
  context,
  anotherBrowser,
  server,
  folder,
}) => {
  const [creator, joiner] = [
    await openPortalWithoutCamera(context, server.url),
    await openPortalWithoutCamera(await anotherBrowser(), server.url),
  ]
  await connect(creator, joiner)

  await expect(creator.getByText('Relayed')).toHaveCount(0)
  await transferBothWays([creator, joiner], folder)
})

test('a portal connects Firefox and Chromium directly, whichever opens it, and transfers files both ways', async ({
  context,
  server,
  folder,
  pageErrors,
}) => {
  test.setTimeout(180_000)
  const browser = await chromium.launch(directConnectionOptions)
  for (const opener of ['Firefox', 'Chromium'] as const) {
    const chromiumContext = await browser.newContext()
    await watchForErrors(chromiumContext, pageErrors)
    const [firefoxPage, chromiumPage] = [
      await openPortalWithoutCamera(context, server.url),
      await openPortalPage(chromiumContext, server.url),
    ]
    const pages = [firefoxPage, chromiumPage] as const
    const [creator, joiner] = opener === 'Firefox' ? pages : ([chromiumPage, firefoxPage] as const)
    await connect(creator, joiner)

    await expect(creator.getByText('Relayed')).toHaveCount(0)
    await transferBothWays(pages, folder, opener)
    for (const page of pages) await page.close()
  }
  await browser.close()
})

test('without a direct path, two Firefox browsers transfer files through the server', async ({
  context,
  anotherBrowser,
  server,
  folder,
  expectedErrors,
}) => {
  // Firefox logs failed ICE to the console.
  expectedErrors.push(/^uncaught: ICE failed/)
  const other = await anotherBrowser()
  for (const one of [context, other]) await blockDirectPaths(one)
  const [creator, joiner] = [
    await openPortalWithoutCamera(context, server.url),
    await openPortalWithoutCamera(other, server.url),
  ]
  await connect(creator, joiner)

  await expect(creator.getByText('Relayed')).toBeVisible()
  await transferBothWays([creator, joiner], folder)
})

/** Opens the portal page without an account; this driver cannot grant the camera permission. */
async function openPortalWithoutCamera(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/portal?anonymous=true`)
  return page
}

/** Transfers 20 MB each way, under names that start with `mark`. */
async function transferBothWays(
  [one, other]: readonly [Page, Page],
  folder: string,
  namePrefix = 'file',
): Promise<void> {
  for (const [from, to, name] of [
    [one, other, `${namePrefix}-there.bin`],
    [other, one, `${namePrefix}-back.bin`],
  ] as const) {
    const file = await makeRandomFile({ folder, name, bytes: 20 * megabyte })
    await chooseFiles(from, [file.path])
    expect((await acceptFile(to, folder)).sha256).toBe(file.sha256)
  }
}
