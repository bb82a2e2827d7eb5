import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { saveDownload } from '../support/downloads.ts'
import { expect, test } from '../support/journey.ts'
import { signUp } from '../support/people.ts'
import {
  acceptFile,
  atPortal,
  connect,
  connectAtPortal,
  direct,
  holdFiles,
  joinPortal,
  letPass,
  openPortal,
  sendFiles,
} from '../support/portals.ts'
import { makeRandomFile } from '../support/random-file.ts'
import { expectShownFor, stepUntilVisible, stopTime } from '../support/stopped-time.ts'
import { watchWakeLocks } from '../support/wake-locks.ts'

test.use({ launchOptions: direct })

const megabyte = 1024 * 1024
const rejected = 'Transfer failed: File transfer rejected by peer'
const offerOf = (page: Page) => page.getByRole('alertdialog', { name: /wants to send/ })
const transfer = (page: Page, phase: string) => page.getByRole('region', { name: phase })

test('POR-08 POR-06 both people see each phase with its figures, and what arrives stays at ninety percent until it is saved', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  await holdFiles(context)
  const other = await anotherBrowser()
  await other.clock.install()
  const [sender, receiver] = await connectAtPortal([context, other], server.url)
  const file = await makeRandomFile({ folder, name: 'walkthrough.mp4', bytes: 20 * megabyte })
  await letPass(sender, 10.5 * megabyte)

  await sendFiles(sender, [file.path])
  await expect(transfer(sender, 'Encrypting')).toContainText('walkthrough.mp4')
  await expect(transfer(sender, 'Encrypting')).toContainText('Waiting for the other device to accept')
  await expect(offerOf(receiver)).toContainText('20.00 MB')
  await receiver.getByRole('button', { name: 'Accept' }).click()

  await expect(transfer(receiver, 'Transferring')).toContainText(/50%\s*10\.00 MB of 20\.00 MB/)
  await expect(transfer(sender, 'Transferring')).toContainText(/\d+%\s*\d+\.\d\d MB of 20\.00 MB/)
  for (const page of [sender, receiver]) {
    await expect(transfer(page, 'Transferring')).toContainText('walkthrough.mp4')
    await expect(transfer(page, 'Transferring')).toContainText(/\d+\.\d [KMG]B\/s/)
    await expect(transfer(page, 'Transferring')).toContainText('Please keep this tab open')
    await expect(page.getByRole('button', { name: 'Send File' })).toBeDisabled()
  }
  await expect(receiver).toHaveTitle('50% · Sallyport')
  const bar = receiver.getByRole('progressbar', { name: 'Receiving walkthrough.mp4' })
  await expect(bar).toHaveAttribute('aria-valuenow', '50')

  await letPass(sender, 6.5 * megabyte)
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThanOrEqual(75)
  // What is asked for twice counts twice, so how much has to pass cannot be told ahead.
  await expect(async () => {
    await letPass(sender, megabyte / 2)
    await expect(transfer(receiver, 'Processing')).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(transfer(receiver, 'Processing')).toContainText(/90%\s*1[89]\.00 MB of 20\.00 MB/)
  await expect(bar).toHaveAttribute('aria-valuenow', '90')
  await expect(transfer(receiver, 'Processing')).toContainText('Please keep this tab open')

  await receiver.clock.pauseAt(Date.now() + 60_000)
  const saved = await saveDownload(receiver, folder, () => letPass(sender, 20 * megabyte))
  expect([saved.name, saved.sha256]).toEqual(['walkthrough.mp4', file.sha256])
  await expect(transfer(sender, 'Complete')).toContainText('The other device has the file')
  await expect(transfer(receiver, 'Complete')).toContainText(/100%\s*20\.00 MB of 20\.00 MB/)
  await expect(transfer(receiver, 'Complete')).toContainText('File saved to downloads')
  await receiver.clock.runFor(1400)
  await expect(transfer(receiver, 'Complete')).toBeVisible()
  await receiver.clock.runFor(200)
  await expect(transfer(receiver, 'Complete')).toHaveCount(0)
  await expect(receiver.getByRole('heading', { name: 'Connected to Portal' })).toBeVisible()
  await expect(receiver.getByRole('button', { name: 'Send File' })).toBeEnabled()
})

test('POR-05 an offer tells each file and the seconds that are left, and half a minute without an answer is a no', async ({
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
  for (const page of [sender, receiver]) await stopTime(page)

  await sendFiles(sender, paths)
  const offer = receiver.getByRole('alertdialog', { name: 'wants to send 3 files' })
  await stepUntilVisible(offer)
  await expect(offer.getByRole('listitem')).toHaveCount(3)
  await expect(offer.getByRole('listitem').nth(1)).toHaveText(`two.txt${paths[1]?.length} Bytes`)
  await expect(offer.getByRole('button', { name: 'Decline' })).toBeFocused()
  await expect(offer.getByRole('timer')).toHaveAccessibleName(/^(30|29) seconds left to answer$/)
  await receiver.clock.runFor(20_000)
  await expect(offer.getByRole('timer')).toHaveAccessibleName(/^(9|10) seconds left to answer$/)
  await expect(transfer(sender, 'Encrypting')).toBeVisible()
  await receiver.clock.runFor(11_000)

  await expect(offer).toBeHidden()
  await stepUntilVisible(sender.getByRole('alert').getByText(rejected, { exact: true }))
  await expectShownFor(sender.getByRole('alert'), 5000)
  await expect(sender.getByText('Device Connected!')).toBeVisible()
  for (const page of [sender, receiver]) await page.clock.resume()

  // A device that says nothing at all is not waited for either.
  await sendFiles(sender, [paths[0] ?? ''])
  await expect(offerOf(receiver)).toBeVisible()
  await sender.clock.fastForward(31_000)
  await expect(sender.getByRole('alert')).toHaveText(rejected)
})

test('POR-08 a transfer goes on while its people look at their files, asks and tells there, and keeps the screen on', async ({
  context,
  page,
  anotherBrowser,
  folder,
  server,
}) => {
  const locksOf = await watchWakeLocks(context)
  const countLocks = () => locksOf(page)
  const other = await anotherBrowser()
  await holdFiles(other)
  await signUp(page)
  await page.getByRole('link', { name: 'Portal' }).click()
  await context.grantPermissions(['camera', 'screen-wake-lock'], { origin: server.url })
  const sender = await atPortal(other, server.url)
  await connect(sender, page)
  const file = await makeRandomFile({ folder, name: 'site.zip', bytes: 10 * megabyte })
  await letPass(sender, 5.5 * megabyte)
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
  await expect.poll(countLocks).toBe(1)
  expect(await page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(true)

  const saved = await saveDownload(page, folder, () => letPass(sender, 20 * megabyte))
  expect(saved.sha256).toBe(file.sha256)
  await expect(dock).toBeHidden()
  await expect(page).toHaveTitle('Files · Sallyport')
  expect(await page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(false)
  await expect.poll(countLocks).toBe(0)
})

test('POR-08 a transfer that the other device ends by closing the portal is told as failed', async ({
  page,
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await anotherBrowser()
  await holdFiles(other)
  await context.grantPermissions(['camera'], { origin: server.url })
  await signUp(page)
  await page.getByRole('link', { name: 'Portal' }).click()
  const sender = await atPortal(other, server.url)
  await connect(sender, page)
  const file = await makeRandomFile({ folder, name: 'half.bin', bytes: 4 * megabyte })
  await letPass(sender, 2.5 * megabyte)
  await sendFiles(sender, [file.path])
  await page.getByRole('button', { name: 'Accept' }).click()
  await expect(transfer(page, 'Transferring')).toBeVisible()

  await sender.getByRole('button', { name: 'Close Portal' }).click()

  await expect(page.getByRole('alert')).toHaveText('Transfer failed: the portal was closed')
  await expect(page.getByRole('button', { name: 'Create Portal' })).toBeVisible()
})

test('POR-05 who looks at another tab is told of a device and of an offer in the title, and by the system once they have asked for it', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  await context.addInitScript(() => {
    const told: string[] = []
    Reflect.set(window, 'told', told)
    let isHidden = false
    Object.defineProperty(document, 'hidden', { get: () => isHidden })
    Reflect.set(window, 'lookAway', (away: boolean) => {
      isHidden = away
      document.dispatchEvent(new Event('visibilitychange'))
    })
    // Headless browsers refuse to ask; what follows an answer is what is shown here.
    let permission: NotificationPermission = 'default'
    class Told extends EventTarget {
      static get permission() {
        return permission
      }
      static async requestPermission() {
        permission = 'granted'
        return permission
      }
      constructor(title: string) {
        super()
        told.push(title)
      }
    }
    Reflect.set(window, 'Notification', Told)
  })
  const look = (page: Page, away: boolean) =>
    page.evaluate((isAway) => (Reflect.get(window, 'lookAway') as (away: boolean) => void)(isAway), away)
  const creator = await atPortal(context, server.url)
  const joiner = await atPortal(await anotherBrowser(), server.url)
  const pin = await openPortal(creator)
  const tellMe = creator.getByRole('button', { name: 'Tell me when it is here' })
  await tellMe.click()
  await expect(tellMe).toHaveCount(0)
  const told = () => creator.evaluate(() => Reflect.get(window, 'told') as string[])

  await look(creator, true)
  await joinPortal(joiner, pin)
  await expect(creator).toHaveTitle('Device Connected! · Sallyport')
  const path = join(folder, 'note.txt')
  writeFileSync(path, 'note')
  await sendFiles(joiner, [path])
  await expect(creator).toHaveTitle(/wants to send note\.txt · Sallyport$/)
  await expect.poll(told).toEqual(['Device Connected!', expect.stringMatching(/wants to send note\.txt$/)])
  await look(creator, false)
  await expect(creator).toHaveTitle('Portal · Sallyport')
})

for (const canceller of ['sender', 'receiver'] as const) {
  test(`POR-04 POR-08 a transfer that its ${canceller} cancels ends on both sides, and the portal carries the next one`, async ({
    context,
    anotherBrowser,
    folder,
    server,
  }) => {
    await holdFiles(context)
    const [sender, receiver] = await connectAtPortal([context, await anotherBrowser()], server.url)
    const file = await makeRandomFile({ folder, name: 'walkthrough.mp4', bytes: 20 * megabyte })
    const next = await makeRandomFile({ folder, name: 'next.mp4', bytes: megabyte })
    await letPass(sender, 10.5 * megabyte)
    await sendFiles(sender, [file.path])
    await receiver.getByRole('button', { name: 'Accept' }).click()
    await expect(transfer(receiver, 'Transferring')).toContainText('50%')

    const page = { sender, receiver }[canceller]
    await transfer(page, 'Transferring').getByRole('button', { name: 'Cancel walkthrough.mp4' }).click()

    await Promise.all([sender, receiver].map((one) => expect(one.getByText('Transfer cancelled')).toBeVisible()))
    for (const one of [sender, receiver]) await expect(transfer(one, 'Transferring')).toHaveCount(0)
    await letPass(sender, 100 * megabyte)
    await sendFiles(sender, [next.path])
    await expect(offerOf(receiver)).toContainText('next.mp4')
    const saved = await acceptFile(receiver, folder)
    expect([saved.name, saved.sha256]).toEqual(['next.mp4', next.sha256])
  })
}

test('POR-05 an offer that its sender takes back is no longer asked about', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const [sender, receiver] = await connectAtPortal([context, await anotherBrowser()], server.url)
  const file = await makeRandomFile({ folder, name: 'walkthrough.mp4', bytes: megabyte })
  await sendFiles(sender, [file.path])
  await expect(offerOf(receiver)).toBeVisible()

  await transfer(sender, 'Encrypting').getByRole('button', { name: 'Cancel walkthrough.mp4' }).click()

  await expect(offerOf(receiver)).toHaveCount(0)
  await expect(sender.getByText('Transfer cancelled')).toBeVisible()
  await expect(sender.getByRole('button', { name: 'Send File' })).toBeEnabled()
})
