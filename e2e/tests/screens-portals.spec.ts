import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createAccount } from '../support/account.ts'
import { drawScreen } from '../support/draw-screen.ts'
import { expect, test } from '../support/journey.ts'
import { signIn } from '../support/people.ts'
import {
  atPortal,
  direct,
  holdFiles,
  joinPortal,
  letPass,
  openPortal,
  sendFiles,
  sendFolder,
} from '../support/portals.ts'
import { makeRandomFile } from '../support/random-file.ts'
import { answerSignals } from '../support/silent-signals.ts'

test.use({ launchOptions: direct })

const megabyte = 1024 * 1024

test('@screens a portal from its menu through a transfer to its end', async ({
  page,
  context,
  folder,
  server,
  anotherBrowser,
}) => {
  await context.grantPermissions(['camera'], { origin: server.url })
  await holdFiles(context)
  await signIn(page, await createAccount(server.url, 'mara@example.org'))
  await page.getByRole('link', { name: 'Portal' }).click()
  const code = page.getByRole('textbox', { name: 'Portal code' })
  await code.fill('48291')
  await draw(page, 'portal-five-digits')
  await code.fill('482913')
  await draw(page, 'portal-menu')
  await code.fill('')

  const pin = await openPortal(page)
  await draw(page, 'portal-opened')
  const visitor = await atPortal(await anotherBrowser(), server.url)
  await joinPortal(visitor, pin)
  await expect(page.getByText('Device Connected!')).toBeVisible({ timeout: 30_000 })
  await draw(page, 'portal-device-connected')
  await expect(visitor.getByRole('heading', { name: 'Connected to Portal' })).toBeVisible()
  await draw(visitor, 'portal-connected-visitor')

  const file = await makeRandomFile({ folder, name: 'walkthrough.mp4', bytes: 20 * megabyte })
  await letPass(page, 12.6 * megabyte)
  await sendFiles(page, [file.path])
  await expect(visitor.getByRole('alertdialog')).toBeVisible()
  await draw(page, 'portal-encrypting')
  await visitor.getByRole('button', { name: 'Accept' }).click()
  await expect(visitor.getByText(/^(5|6)\d%/)).toBeVisible()
  await draw(visitor, 'portal-transferring')
  await expect(async () => {
    await letPass(page, megabyte / 2)
    await expect(visitor.getByRole('region', { name: 'Processing' })).toBeVisible({ timeout: 500 })
  }).toPass()
  await draw(visitor, 'portal-processing')
  await visitor.clock.install()
  await visitor.clock.pauseAt(Date.now() + 60_000)
  await letPass(page, 20 * megabyte)
  await expect(visitor.getByText('File saved to downloads')).toBeVisible()
  await draw(visitor, 'portal-complete')
})

test('@screens what a portal asks, and what goes wrong with it', async ({
  context,
  folder,
  server,
  anotherBrowser,
}) => {
  const other = await anotherBrowser()
  const sender = await atPortal(context, server.url)
  const receiver = await atPortal(other, server.url)
  await joinPortal(receiver, '482913')
  await expect(receiver.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  await draw(receiver, 'portal-failed')
  await receiver.getByRole('button', { name: 'Dismiss' }).click()
  await joinPortal(receiver, await openPortal(sender))
  await expect(sender.getByText('Device Connected!')).toBeVisible({ timeout: 30_000 })

  const plans = join(folder, 'plans')
  mkdirSync(plans)
  const sizes = { 'elevation-north.dwg': 2_480_000, 'elevation-south.dwg': 2_310_000, 'notes.txt': 1200 }
  for (const [name, bytes] of Object.entries(sizes)) writeFileSync(join(plans, name), Buffer.alloc(bytes))
  await sendFolder(sender, plans)
  await expect(receiver.getByRole('alertdialog')).toBeVisible()
  await draw(receiver, 'portal-offer')
  await receiver.getByRole('button', { name: 'Decline' }).click()
  await expect(sender.getByText('Transfer failed')).toBeVisible()

  const waiting = await anotherBrowser()
  const connecting = await waiting.newPage()
  await answerSignals(connecting)
  await connecting.goto(`${server.url}/portal?anonymous=true`)
  await joinPortal(connecting, '482913')
  await expect(connecting.getByText('Connecting...')).toBeVisible()
  await draw(connecting, 'portal-connecting')
})

/** On a desk and on a phone. */
async function draw(page: Page, name: string): Promise<void> {
  await drawScreen(page, name)
  await page.setViewportSize({ width: 390, height: 844 })
  await drawScreen(page, `${name}-phone`)
  await page.setViewportSize({ width: 1280, height: 860 })
}
