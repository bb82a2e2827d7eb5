import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { saveDownload } from '../../support/downloads.ts'
import { guard } from '../../support/guard.ts'
import { acceptFile, atPortal, closeDirectWays, connect, direct } from '../../support/portals.ts'
import { makeRandomFile } from '../../support/random-file.ts'
import { hostSession, joinAsStranger, said, say, sessionFile, showFiles } from '../../support/sessions.ts'
import { chooseFiles, expect, test } from './journey.ts'

const megabyte = 1024 * 1024

test('two people meet by a PIN, write to each other and pass a file on', async ({
  page,
  server,
  anotherBrowser,
  folder,
}) => {
  const pin = await hostSession(page, server.url)
  const other = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsStranger(other, pin)
  for (const [from, to] of [
    [page, other],
    [other, page],
  ] as const) {
    const words = from === page ? 'Are you there?' : 'Here I am'
    await say(from, words)
    await expect(said(to, words)).toBeVisible()
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

test('a portal joins two Firefoxes directly, and files go both ways', async ({
  context,
  anotherBrowser,
  server,
  folder,
}) => {
  const [creator, joiner] = [await atDoor(context, server.url), await atDoor(await anotherBrowser(), server.url)]
  await connect(creator, joiner)

  await expect(creator.getByText('Relayed')).toHaveCount(0)
  await passBothWays([creator, joiner], folder)
})

test('a portal joins Firefox and Chromium directly, whoever opens it, and files go both ways', async ({
  context,
  server,
  folder,
  complaints,
}) => {
  test.setTimeout(180_000)
  const browser = await chromium.launch(direct)
  for (const opener of ['Firefox', 'Chromium'] as const) {
    const chromiumContext = await browser.newContext()
    await guard(chromiumContext, complaints)
    const [firefoxPage, chromiumPage] = [await atDoor(context, server.url), await atPortal(chromiumContext, server.url)]
    const pages = [firefoxPage, chromiumPage] as const
    const [creator, joiner] = opener === 'Firefox' ? pages : ([chromiumPage, firefoxPage] as const)
    await connect(creator, joiner)

    await expect(creator.getByText('Relayed')).toHaveCount(0)
    await passBothWays(pages, folder, opener)
    for (const page of pages) await page.close()
  }
  await browser.close()
})

test('where there is no direct way, two Firefoxes pass files through the server', async ({
  context,
  anotherBrowser,
  server,
  folder,
  provoked,
}) => {
  // Firefox tells the console of every way that comes to nothing.
  provoked.push(/^uncaught: ICE failed/)
  const other = await anotherBrowser()
  for (const one of [context, other]) await closeDirectWays(one)
  const [creator, joiner] = [await atDoor(context, server.url), await atDoor(other, server.url)]
  await connect(creator, joiner)

  await expect(creator.getByText('Relayed')).toBeVisible()
  await passBothWays([creator, joiner], folder)
})

/** At the portal without an account; this driver cannot give away the camera. */
async function atDoor(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/portal?anonymous=true`)
  return page
}

/** Twenty megabytes each way, under names that were not used before. */
async function passBothWays([one, other]: readonly [Page, Page], folder: string, mark = 'file'): Promise<void> {
  for (const [from, to, name] of [
    [one, other, `${mark}-there.bin`],
    [other, one, `${mark}-back.bin`],
  ] as const) {
    const file = await makeRandomFile({ folder, name, bytes: 20 * megabyte })
    await chooseFiles(from, [file.path])
    expect((await acceptFile(to, folder)).sha256).toBe(file.sha256)
  }
}
