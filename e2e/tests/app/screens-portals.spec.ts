import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { saveScreenshots } from '../../support/browser/save-screenshots.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import { startFakeSignalling } from '../../support/portals/fake-signalling.ts'
import {
  allowBytes,
  directConnectionOptions,
  holdFileData,
  joinPortal,
  openPortal,
  openPortalPage,
  sendFiles,
  sendFolder,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

const megabyte = 1024 * 1024

test('@screens a portal from its menu through a transfer to completion', async ({
  page,
  context,
  folder,
  server,
  anotherBrowser,
}) => {
  await context.grantPermissions(['camera'], { origin: server.url })
  await holdFileData(context)
  await openFiles(page, await createAccount(server.url, 'mara@example.org'))
  await page.getByRole('link', { name: 'Portal' }).click()
  const code = page.getByRole('textbox', { name: 'Portal code' })
  await code.fill('48291')
  await saveScreens(page, 'portal-five-digits')
  await code.fill('482913')
  await saveScreens(page, 'portal-menu')
  await code.fill('')

  const pin = await openPortal(page)
  await saveScreens(page, 'portal-opened')
  const visitor = await openPortalPage(await anotherBrowser(), server.url)
  await joinPortal(visitor, pin)
  await expect(page.getByText('Device Connected!')).toBeVisible()
  await saveScreens(page, 'portal-device-connected')
  await expect(visitor.getByRole('heading', { name: 'Connected to Portal' })).toBeVisible()
  await saveScreens(visitor, 'portal-connected-visitor')

  const file = await makeRandomFile({ folder, name: 'walkthrough.mp4', bytes: 20 * megabyte })
  await allowBytes(page, 12.6 * megabyte)
  await sendFiles(page, [file.path])
  await expect(visitor.getByRole('alertdialog')).toBeVisible()
  await saveScreens(page, 'portal-encrypting')
  await visitor.getByRole('button', { name: 'Accept' }).click()
  await expect(visitor.getByText(/^(5|6)\d%/)).toBeVisible()
  await saveScreens(visitor, 'portal-transferring')
  await expect(async () => {
    await allowBytes(page, megabyte / 2)
    await expect(visitor.getByRole('region', { name: 'Processing' })).toBeVisible({ timeout: 500 })
  }).toPass()
  await saveScreens(visitor, 'portal-processing')
  await visitor.clock.install()
  await visitor.clock.pauseAt(Date.now() + 60_000)
  await allowBytes(page, 20 * megabyte)
  await expect(visitor.getByText('File saved to downloads')).toBeVisible()
  await saveScreens(visitor, 'portal-complete')
})

test('@screens the questions and errors of a portal', async ({ context, folder, server, anotherBrowser }) => {
  const other = await anotherBrowser()
  const sender = await openPortalPage(context, server.url)
  const receiver = await openPortalPage(other, server.url)
  await joinPortal(receiver, '482913')
  await expect(receiver.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  await saveScreens(receiver, 'portal-failed')
  await receiver.getByRole('button', { name: 'Dismiss' }).click()
  await joinPortal(receiver, await openPortal(sender))
  await expect(sender.getByText('Device Connected!')).toBeVisible()

  const plans = join(folder, 'plans')
  mkdirSync(plans)
  const sizes = { 'elevation-north.dwg': 2_480_000, 'elevation-south.dwg': 2_310_000, 'notes.txt': 1200 }
  for (const [name, bytes] of Object.entries(sizes)) writeFileSync(join(plans, name), Buffer.alloc(bytes))
  await sendFolder(sender, plans)
  await expect(receiver.getByRole('alertdialog')).toBeVisible()
  await saveScreens(receiver, 'portal-offer')
  await receiver.getByRole('button', { name: 'Decline' }).click()
  await expect(sender.getByText('Transfer failed')).toBeVisible()

  const waiting = await anotherBrowser()
  const connecting = await waiting.newPage()
  await startFakeSignalling(connecting)
  await connecting.goto(`${server.url}/portal?anonymous=true`)
  await joinPortal(connecting, '482913')
  await expect(connecting.getByText('Connecting...')).toBeVisible()
  await saveScreens(connecting, 'portal-connecting')
})

/** At desktop and phone size. */
async function saveScreens(page: Page, name: string): Promise<void> {
  await saveScreenshots(page, name)
  await page.setViewportSize({ width: 390, height: 844 })
  await saveScreenshots(page, `${name}-phone`)
  await page.setViewportSize({ width: 1280, height: 860 })
}
