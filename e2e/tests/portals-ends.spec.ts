import type { Page } from '@playwright/test'
import { expectAccessible } from '../support/expect-accessible.ts'
import { expect, test } from '../support/journey.ts'
import { countLive } from '../support/live-objects.ts'
import { signOut, signUp } from '../support/people.ts'
import {
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

test.use({ launchOptions: direct })

const heldKeys = (page: Page) => countLive(page, 'CryptoKey')
const openLines = (page: Page) => countLive(page, 'RTCPeerConnection')

test('T211 when one device closes, the other is reset, and no key of the portal is left in either page', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await atPortal(context, server.url)
  const joiner = await atPortal(await anotherBrowser(), server.url)
  expect([await heldKeys(creator), await heldKeys(joiner)]).toEqual([0, 0])
  await connect(creator, joiner)
  for (const page of [creator, joiner]) {
    expect(await heldKeys(page)).toBeGreaterThan(2)
    expect(await openLines(page)).toBe(1)
  }

  await joiner.getByRole('button', { name: 'Close Portal' }).click()

  for (const page of [creator, joiner]) {
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
    await expect.poll(() => openLines(page)).toBe(0)
    await expect.poll(() => heldKeys(page)).toBe(0)
  }
})

test('T211 signing out in the middle of a transfer closes the portal, and the other device is reset', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  await context.grantPermissions(['camera'], { origin: server.url })
  await holdFiles(context)
  const creator = await context.newPage()
  await signUp(creator, undefined, server.url)
  await creator.getByRole('link', { name: 'Portal' }).click()
  const joiner = await atPortal(await anotherBrowser(), server.url)
  const pin = await openPortal(creator)
  await joinPortal(joiner, pin)
  await expect(creator.getByText('Device Connected!')).toBeVisible({ timeout: 30_000 })
  const file = await makeRandomFile({ folder, name: 'long.bin', bytes: 50_000_000 })
  await letPass(creator, 20_000_000)
  await sendFiles(creator, [file.path])
  await joiner.getByRole('button', { name: 'Accept' }).click()
  await expect(joiner.getByRole('heading', { name: 'Transferring' })).toBeVisible()
  const downloads: string[] = []
  joiner.on('download', (download) => downloads.push(download.suggestedFilename()))

  await signOut(creator)

  await expect(joiner.getByRole('tab', { name: 'Sign In' })).toBeVisible({ timeout: 30_000 })
  for (const page of [creator, joiner]) await expect.poll(() => openLines(page)).toBe(0)
  await expect.poll(() => heldKeys(joiner)).toBe(0)
  expect(downloads).toEqual([])
  const late = await atPortal(await anotherBrowser(), server.url)
  await joinPortal(late, pin)
  await expect(late.getByRole('alert').getByText('Failed to join room')).toBeVisible()
})

test('POR-09 a visitor whose portal is closed by the other device in the midst of a file reads why, where one signs in', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  await holdFiles(context)
  const [creator, joiner] = await connectAtPortal([context, await anotherBrowser()], server.url)
  const file = await makeRandomFile({ folder, name: 'film.bin', bytes: 10_000_000 })
  await letPass(creator, 5_000_000)
  await sendFiles(creator, [file.path])
  await joiner.getByRole('button', { name: 'Accept' }).click()
  await expect(joiner.getByRole('heading', { name: 'Transferring' })).toBeVisible()

  await creator.getByRole('button', { name: 'Close Portal' }).click()

  await expect(joiner.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  const reason = joiner.getByRole('alert').filter({ hasText: 'Transfer failed: the portal was closed' })
  await expect(reason).toBeVisible()
  await expectAccessible(joiner, 'the front page after a portal that was closed')
  await reason.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(reason).toHaveCount(0)
  // Whoever has closed it knows.
  await expect(creator.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(creator.getByRole('alert')).toHaveCount(0)
})
