import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect } from '../../support/journey.ts'
import { startMachineInTheMiddle } from '../../support/network/machine-in-the-middle.ts'
import {
  answerUnverified,
  directConnectionOptions,
  joinPortal,
  openPortal,
  openPortalPage,
  readCode,
  sasEmojiOf,
  sendFiles,
  wrongCodeFor,
} from '../../support/portals/portals.ts'
import { readPortalLink } from '../../support/portals/qr-code.ts'
import { notVerifiedMessage, openLink, test } from '../../support/portals/trust.ts'

test.use({ launchOptions: directConnectionOptions })

test('T205 a server that redirects a link or code to its own device learns neither', async ({
  context,
  anotherBrowser,
  lyingServer,
}) => {
  const creator = await openPortalPage(context, lyingServer.url)
  const pin = await openPortal(creator)
  const link = await readPortalLink(creator)
  const attackerContext = await anotherBrowser()
  const attackerPage = await openPortalPage(attackerContext, lyingServer.url)
  let attackerCode = await openPortal(attackerPage)
  lyingServer.setRewrites({
    fromDevice(message) {
      if (message.type === 'px-locate') return { ...message, prefix: attackerCode.slice(0, 2) }
      return message.type === 'join-room' ? { ...message, roomCode: attackerCode.slice(0, 2) } : message
    },
  })
  const other = await anotherBrowser()

  const byLink = await openLink(other, lyingServer.url, link)
  await expect(byLink.getByRole('alert').getByText(notVerifiedMessage)).toBeVisible()
  await expect(attackerPage.getByText('Someone entered a wrong code.')).toBeVisible()
  await expect.poll(() => readCode(attackerPage)).not.toBe(attackerCode)
  attackerCode = await readCode(attackerPage)
  const byCode = await openPortalPage(other, lyingServer.url)
  await joinPortal(byCode, pin)

  await expect(byCode.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  await expect(attackerPage.getByText('Device Connected!')).toHaveCount(0)
  await expect(creator.getByText('Waiting for another device to join')).toBeVisible()
  const secretDigits = pin.slice(2)
  expect(
    lyingServer.received
      .flat()
      .filter((text) => text.includes(secretDigits) || text.includes(link.split('#k=')[1] ?? link)),
  ).toEqual([])
})

test('T205 two current devices that the server declares legacy see the same emoji and stay unverified', async ({
  context,
  anotherBrowser,
  lyingServer,
}) => {
  const creator = await openPortalPage(context, lyingServer.url)
  const joiner = await openPortalPage(await anotherBrowser(), lyingServer.url)
  lyingServer.setRewrites({
    toDevice: (message) => (message.type === 'px-located' ? { type: 'px-located', result: 'classic' } : message),
  })

  await joinPortal(joiner, await openPortal(creator))
  for (const page of [joiner, creator]) await answerUnverified(page)

  for (const page of [creator, joiner]) {
    await expect(page.getByText('Unverified')).toBeVisible()
    await expect(page.getByText('Compare the pictures with the other device before you send anything.')).toBeVisible()
  }
  const emoji = await sasEmojiOf(creator)
  expect(await sasEmojiOf(joiner)).toEqual(emoji)
  await expectAccessible(joiner, 'an unverified portal')
})

test('T205 when a server swaps the certificates of two unverified devices, the emoji differ', async ({
  context,
  anotherBrowser,
  folder,
  lyingServer,
}) => {
  const attackerContext = await anotherBrowser()
  await attackerContext.grantPermissions(['camera'], { origin: lyingServer.url })
  await startMachineInTheMiddle(attackerContext, lyingServer)
  const creator = await openPortalPage(context, lyingServer.url)
  const joiner = await openPortalPage(await anotherBrowser(), lyingServer.url)

  await joinPortal(joiner, await openPortal(creator))
  for (const page of [joiner, creator]) await answerUnverified(page)

  for (const page of [creator, joiner]) await expect(page.getByText('Unverified')).toBeVisible()
  expect(await sasEmojiOf(creator)).not.toEqual(await sasEmojiOf(joiner))
  // File keys are wrapped under the SAS secret, so the transfer fails too.
  const file = await makeRandomFile({ folder, name: 'secret.bin', bytes: 1000 })
  await sendFiles(creator, [file.path])
  await joiner.getByRole('button', { name: 'Accept' }).click()
  await expect(joiner.getByText(/transfer failed/i)).toBeVisible()
})

test('T205 a device that learns the code as a legacy peer and then joins with it shows different emoji than the victim', async ({
  context,
  anotherBrowser,
  lyingServer,
}) => {
  const creator = await openPortalPage(context, lyingServer.url)
  const pin = await openPortal(creator)
  const attackerContext = await anotherBrowser()
  const [toCreator, toJoiner] = [
    await openPortalPage(attackerContext, lyingServer.url),
    await openPortalPage(attackerContext, lyingServer.url),
  ]
  const attackerPin = await openPortal(toJoiner)
  const learnedCodes: unknown[] = []
  lyingServer.setRewrites({
    fromDevice(message, deviceSocket) {
      if (message.type === 'px-locate' && learnedCodes.length === 0) {
        deviceSocket.sendToDevice({ type: 'px-located', result: 'classic' })
        return null
      }
      if (message.type !== 'join-room' || message['px']) return message
      learnedCodes.push(message['roomCode'])
      return { ...message, roomCode: attackerPin }
    },
  })
  const joiner = await openPortalPage(await anotherBrowser(), lyingServer.url)
  await joinPortal(joiner, pin)
  for (const page of [joiner, toJoiner]) await answerUnverified(page)
  await expect(joiner.getByText('Unverified')).toBeVisible()
  expect(learnedCodes).toEqual([pin])
  await joinPortal(toCreator, pin)
  await expect(creator.getByText('Verified (PIN)')).toBeVisible()

  expect(await sasEmojiOf(creator)).not.toEqual(await sasEmojiOf(joiner))
})

test('T205 after 2 wrong codes the creator is warned and gets no third code, and a link still joins', async ({
  context,
  anotherBrowser,
  lyingServer,
}) => {
  const creator = await openPortalPage(context, lyingServer.url)
  const guesser = await openPortalPage(await anotherBrowser(), lyingServer.url)
  const pin = await openPortal(creator)
  await joinPortal(guesser, wrongCodeFor(pin))
  await expect(creator.getByText('Someone entered a wrong code. Here is a new one.')).toBeVisible()
  await expect.poll(() => readCode(creator)).not.toBe(pin)

  await joinPortal(guesser, wrongCodeFor(await readCode(creator)))

  await expect(creator.getByRole('alert').getByText('Someone may be guessing your code')).toBeVisible()
  await expect(creator.getByText('Your codes were used up by devices that couldn’t join')).toBeVisible()
  await expect(creator.locator('.pin-plates')).toHaveCount(0)
  await expect(creator.getByRole('img', { name: 'Scan to join instantly' })).toHaveCount(0)
  await expectAccessible(creator, 'a portal after wrong codes')
  await creator.getByRole('button', { name: 'Use a link or QR code' }).click()
  await expect(creator.locator('#main')).toBeFocused()
  const link = await readPortalLink(creator)
  await joinPortal(guesser, /join=(\d{6})/.exec(link)?.[1] ?? '')
  await expect(guesser.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  const joiner = await openLink(await anotherBrowser(), lyingServer.url, link)
  for (const page of [creator, joiner]) await expect(page.getByText('Verified (link)')).toBeVisible()
})
