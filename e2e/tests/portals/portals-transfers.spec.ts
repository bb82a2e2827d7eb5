import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openNewAccount } from '../../support/account/open-files.ts'
import { expectShownFor, pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { trackWakeLocks } from '../../support/browser/wake-locks.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  acceptFile,
  allowBytes,
  connect,
  connectAtPortal,
  directConnectionOptions,
  holdFileData,
  joinPortal,
  openPortal,
  openPortalPage,
  sendFiles,
} from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

const megabyte = 1024 * 1024
const rejectedMessage = 'Transfer failed: File transfer rejected by peer'
const offerDialog = (page: Page) => page.getByRole('alertdialog', { name: /wants to send/ })
const transferCard = (page: Page, phase: string) => page.getByRole('region', { name: phase })

test('POR-08 POR-06 both users see each phase with its figures, and the receiver stays at 90% until the file is saved', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  await holdFileData(context)
  const other = await anotherBrowser()
  await other.clock.install()
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const file = await makeRandomFile({ folder, name: 'walkthrough.mp4', bytes: 20 * megabyte })
  await allowBytes(sender, 10.5 * megabyte)

  await sendFiles(sender, [file.path])
  await expect(transferCard(sender, 'Encrypting')).toContainText('walkthrough.mp4')
  await expect(transferCard(sender, 'Encrypting')).toContainText('Waiting for the other device to accept')
  await expect(offerDialog(receiver)).toContainText('20.00 MB')
  await receiver.getByRole('button', { name: 'Accept' }).click()

  // The speed disappears when nothing has moved for a few seconds.
  const expectSpeed = (page: Page) => expect(transferCard(page, 'Transferring')).toContainText(/\d+\.\d [KMG]B\/s/)
  await Promise.all([expectSpeed(sender), expectSpeed(receiver)])
  await expect(transferCard(receiver, 'Transferring')).toContainText(/50%\s*10\.00 MB of 20\.00 MB/)
  await expect(transferCard(sender, 'Transferring')).toContainText(/\d+%\s*\d+\.\d\d MB of 20\.00 MB/)
  for (const page of [sender, receiver]) {
    await expect(transferCard(page, 'Transferring')).toContainText('walkthrough.mp4')
    await expect(transferCard(page, 'Transferring')).toContainText('Please keep this tab open')
    await expect(page.getByRole('button', { name: 'Send File' })).toBeDisabled()
  }
  await expect(receiver).toHaveTitle('50% · Sallyport')
  const progressBar = receiver.getByRole('progressbar', { name: 'Receiving walkthrough.mp4' })
  await expect(progressBar).toHaveAttribute('aria-valuenow', '50')

  await allowBytes(sender, 6.5 * megabyte)
  await expect.poll(async () => Number(await progressBar.getAttribute('aria-valuenow'))).toBeGreaterThanOrEqual(75)
  // Blocks that are requested twice count twice, so the number of bytes is not known in advance.
  await expect(async () => {
    await allowBytes(sender, megabyte / 2)
    await expect(transferCard(receiver, 'Processing')).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(transferCard(receiver, 'Processing')).toContainText(/90%\s*1[89]\.00 MB of 20\.00 MB/)
  await expect(progressBar).toHaveAttribute('aria-valuenow', '90')
  await expect(transferCard(receiver, 'Processing')).toContainText('Please keep this tab open')

  await receiver.clock.pauseAt(Date.now() + 60_000)
  // The sender, whose clock runs, shows for a moment that the transfer is complete.
  const [saved] = await Promise.all([
    saveDownload(receiver, folder, () => allowBytes(sender, 20 * megabyte)),
    expect(transferCard(sender, 'Complete')).toContainText('The other device received the file', { timeout: 240_000 }),
  ])
  expect([saved.name, saved.sha256]).toEqual(['walkthrough.mp4', file.sha256])
  await expect(transferCard(receiver, 'Complete')).toContainText(/100%\s*20\.00 MB of 20\.00 MB/)
  await expect(transferCard(receiver, 'Complete')).toContainText('File saved to downloads')
  await receiver.clock.runFor(1400)
  await expect(transferCard(receiver, 'Complete')).toBeVisible()
  await receiver.clock.runFor(200)
  await expect(transferCard(receiver, 'Complete')).toHaveCount(0)
  await expect(receiver.getByRole('heading', { name: 'Connected to Portal' })).toBeVisible()
  await expect(receiver.getByRole('button', { name: 'Send File' })).toBeEnabled()
})

test('POR-05 an offer lists each file and the seconds left, and expires as rejected after 30 seconds', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  for (const one of [context, other]) await one.clock.install()
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const paths = ['one.txt', 'two.txt', 'three.txt'].map((name) => join(folder, name))
  for (const path of paths) writeFileSync(path, 'x'.repeat(path.length))
  for (const page of [sender, receiver]) await pauseClock(page)

  await sendFiles(sender, paths)
  const offer = receiver.getByRole('alertdialog', { name: 'wants to send 3 files' })
  await stepUntilVisible(offer)
  await expect(offer.getByRole('listitem')).toHaveCount(3)
  await expect(offer.getByRole('listitem').nth(1)).toHaveText(`two.txt${paths[1]?.length} Bytes`)
  // The focus moves in a frame, which does not come while the clock is paused.
  const hasFocus = async () => {
    await receiver.clock.runFor(20)
    return offer.getByRole('button', { name: 'Decline' }).evaluate((button) => button === document.activeElement)
  }
  await expect.poll(hasFocus).toBe(true)
  await expect(offer.getByRole('timer')).toHaveAccessibleName(/^(30|29) seconds left to answer$/)
  await receiver.clock.runFor(20_000)
  await expect(offer.getByRole('timer')).toHaveAccessibleName(/^(9|10) seconds left to answer$/)
  await expect(transferCard(sender, 'Encrypting')).toBeVisible()
  await receiver.clock.runFor(11_000)

  await expect(offer).toBeHidden()
  await stepUntilVisible(sender.getByRole('alert').getByText(rejectedMessage, { exact: true }))
  await expectShownFor(sender.getByRole('alert'), 5000)
  await expect(sender.getByText('Device Connected!')).toBeVisible()
  for (const page of [sender, receiver]) await page.clock.resume()

  // A device that does not respond at all times out too.
  await sendFiles(sender, [paths[0] ?? ''])
  await expect(offerDialog(receiver)).toBeVisible()
  await sender.clock.fastForward(31_000)
  await expect(sender.getByRole('alert')).toHaveText(rejectedMessage)
})

test('POR-08 a transfer continues while users look at their files, prompts and reports there, and keeps the screen on', async ({
  context,
  page,
  anotherBrowser,
  folder,
  server,
}) => {
  const countWakeLocks = await trackWakeLocks(context)
  const countOwnWakeLocks = () => countWakeLocks(page)
  const other = await anotherBrowser()
  await holdFileData(other)
  await openNewAccount(page)
  await page.getByRole('link', { name: 'Portal' }).click()
  await context.grantPermissions(['camera', 'screen-wake-lock'], { origin: server.url })
  const sender = await openPortalPage(other, server.url)
  await connect(sender, page)
  const file = await makeRandomFile({ folder, name: 'site.zip', bytes: 10 * megabyte })
  await allowBytes(sender, 5.5 * megabyte)
  await page.getByRole('link', { name: 'Files', exact: true }).click()
  await expect(page.getByText('Upload files to see them here')).toBeVisible()

  await sendFiles(sender, [file.path])
  await page.getByRole('button', { name: 'Accept' }).click()

  const dock = page.getByRole('region', { name: 'Transfers' })
  await expect(dock).toContainText('50%')
  await expect(page).toHaveTitle('50% · Sallyport')
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', /^data:image\/svg\+xml/)
  await dock.getByRole('button', { name: 'Show transfers' }).click()
  await expect(dock.getByRole('progressbar', { name: 'Receiving site.zip' })).toBeVisible()
  await expect.poll(countOwnWakeLocks).toBe(1)
  expect(await page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(true)

  const saved = await saveDownload(page, folder, () => allowBytes(sender, 20 * megabyte))
  expect(saved.sha256).toBe(file.sha256)
  await expect(dock).toBeHidden()
  await expect(page).toHaveTitle('Files · Sallyport')
  expect(await page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(false)
  await expect.poll(countOwnWakeLocks).toBe(0)
})

test('POR-08 a transfer fails visibly when the other device closes the portal', async ({
  page,
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  await holdFileData(other)
  await context.grantPermissions(['camera'], { origin: server.url })
  await openNewAccount(page)
  await page.getByRole('link', { name: 'Portal' }).click()
  const sender = await openPortalPage(other, server.url)
  await connect(sender, page)
  const file = await makeRandomFile({ folder, name: 'half.bin', bytes: 4 * megabyte })
  await allowBytes(sender, 2.5 * megabyte)
  await sendFiles(sender, [file.path])
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(transferCard(page, 'Transferring')).toBeVisible()

  await sender.getByRole('button', { name: 'Close Portal' }).click()

  await expect(page.getByRole('alert')).toHaveText('Transfer failed: the portal was closed')
  await expect(page.getByRole('button', { name: 'Create Portal' })).toBeVisible()
})

test('POR-05 a hidden tab reports a device and an offer in its title, and in system notifications once they are allowed', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  await context.addInitScript(() => {
    const notifications: string[] = []
    Reflect.set(window, 'told', notifications)
    let isHidden = false
    Object.defineProperty(document, 'hidden', { get: () => isHidden })
    Reflect.set(window, 'lookAway', (isAway: boolean) => {
      isHidden = isAway
      document.dispatchEvent(new Event('visibilitychange'))
    })
    // Headless browsers deny the permission; this test covers what follows after it is granted.
    let permission: NotificationPermission = 'default'
    class FakeNotification extends EventTarget {
      static get permission() {
        return permission
      }
      static async requestPermission() {
        permission = 'granted'
        return permission
      }
      constructor(title: string) {
        super()
        notifications.push(title)
      }
    }
    Reflect.set(window, 'Notification', FakeNotification)
  })
  const setHidden = (page: Page, away: boolean) =>
    page.evaluate((isAway) => (Reflect.get(window, 'lookAway') as (away: boolean) => void)(isAway), away)
  const creator = await openPortalPage(context, server.url)
  const joiner = await openPortalPage(await anotherBrowser(), server.url)
  const pin = await openPortal(creator)
  const notifyButton = creator.getByRole('button', { name: 'Notify me when it connects' })
  await notifyButton.click()
  await expect(notifyButton).toHaveCount(0)
  const readNotifications = () => creator.evaluate(() => Reflect.get(window, 'told') as string[])

  await setHidden(creator, true)
  await joinPortal(joiner, pin)
  await expect(creator).toHaveTitle('Device Connected! · Sallyport')
  const path = join(folder, 'note.txt')
  writeFileSync(path, 'note')
  await sendFiles(joiner, [path])
  await expect(creator).toHaveTitle(/wants to send note\.txt · Sallyport$/)
  await expect.poll(readNotifications).toEqual(['Device Connected!', expect.stringMatching(/wants to send note\.txt$/)])
  await setHidden(creator, false)
  await expect(creator).toHaveTitle('Portal · Sallyport')
})

for (const canceller of ['sender', 'receiver'] as const) {
  test(`POR-04 POR-08 a transfer cancelled by its ${canceller} ends on both sides, and the next one works`, async ({
    context,
    anotherBrowser,
    folder,
    server,
  }) => {
    await holdFileData(context)
    const [sender, receiver] = await connectAtPortal([context, await anotherBrowser()], server.url)
    const file = await makeRandomFile({ folder, name: 'walkthrough.mp4', bytes: 20 * megabyte })
    const next = await makeRandomFile({ folder, name: 'next.mp4', bytes: megabyte })
    await allowBytes(sender, 10.5 * megabyte)
    await sendFiles(sender, [file.path])
    await receiver.getByRole('button', { name: 'Accept' }).click()
    await expect(transferCard(receiver, 'Transferring')).toContainText('50%')

    const page = { sender, receiver }[canceller]
    await transferCard(page, 'Transferring').getByRole('button', { name: 'Cancel walkthrough.mp4' }).click()

    await Promise.all([sender, receiver].map((one) => expect(one.getByText('Transfer cancelled')).toBeVisible()))
    for (const one of [sender, receiver]) await expect(transferCard(one, 'Transferring')).toHaveCount(0)
    await allowBytes(sender, 100 * megabyte)
    await sendFiles(sender, [next.path])
    await expect(offerDialog(receiver)).toContainText('next.mp4')
    const saved = await acceptFile(receiver, folder)
    expect([saved.name, saved.sha256]).toEqual(['next.mp4', next.sha256])
  })
}

test('POR-05 an offer that its sender cancels disappears at the receiver', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const [sender, receiver] = await connectAtPortal([context, await anotherBrowser()], server.url)
  const file = await makeRandomFile({ folder, name: 'walkthrough.mp4', bytes: megabyte })
  await sendFiles(sender, [file.path])
  await expect(offerDialog(receiver)).toBeVisible()

  await transferCard(sender, 'Encrypting').getByRole('button', { name: 'Cancel walkthrough.mp4' }).click()

  await expect(offerDialog(receiver)).toHaveCount(0)
  await expect(sender.getByText('Transfer cancelled')).toBeVisible()
  await expect(sender.getByRole('button', { name: 'Send File' })).toBeEnabled()
})
