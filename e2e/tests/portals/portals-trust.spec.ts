import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect } from '../../support/journey.ts'
import { joinAsLegacyPeer } from '../../support/portals/legacy-peer.ts'
import {
  answerUnverified,
  directConnectionOptions,
  joinPortal,
  openPortal,
  openPortalPage,
  readCode,
  sendFiles,
  wrongCodeFor,
} from '../../support/portals/portals.ts'
import { readPortalLink } from '../../support/portals/qr-code.ts'
import { notVerifiedMessage, openLink, test } from '../../support/portals/trust.ts'

test.use({ launchOptions: directConnectionOptions })
const tamperedMessage = 'Someone tampered with the connection, so the portal was closed.'

test('T205 a server that replaces the certificate fingerprint in signalling is rejected, by code and by link', async ({
  context,
  anotherBrowser,
  lyingServer,
}) => {
  const other = await anotherBrowser()
  for (const method of ['code', 'link'] as const) {
    const creator = await openPortalPage(context, lyingServer.url)
    const pin = await openPortal(creator)
    const link = await readPortalLink(creator)
    const foreign = `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AA').join(':')}`
    lyingServer.setRewrites({
      toDevice: (message) =>
        message.type === 'webrtc-offer'
          ? { ...message, data: { type: 'offer', sdp: `v=0\r\n${foreign}\r\n` } }
          : message,
    })
    const joiner =
      method === 'link' ? await openLink(other, lyingServer.url, link) : await openPortalPage(other, lyingServer.url)
    if (method === 'code') await joinPortal(joiner, pin)

    await expect(joiner.getByRole('alert').getByText(tamperedMessage)).toBeVisible()
    await expect(joiner.getByText(/Verified \(/)).toHaveCount(0)
    await expect(joiner.getByRole('button', { name: 'Send File' })).toHaveCount(0)
    await creator.close()
    await joiner.close()
  }
})

test('T205 a link with a secret is not downgraded to the legacy protocol', async ({
  context,
  anotherBrowser,
  lyingServer,
}) => {
  const creator = await openPortalPage(context, lyingServer.url)
  const pin = await openPortal(creator)
  lyingServer.setRewrites({
    toDevice: (message) => (message.type === 'px-located' ? { type: 'px-located', result: 'classic' } : message),
  })

  const joiner = await openLink(await anotherBrowser(), lyingServer.url, await readPortalLink(creator))

  await expect(joiner.getByRole('alert').getByText(notVerifiedMessage)).toBeVisible()
  expect(lyingServer.received.flat().filter((text) => text.includes(pin.slice(2)))).toEqual([])
})

test('T205 queued files are not offered to an unverified device until the user sends them', async ({
  context,
  anotherBrowser,
  lyingServer,
  folder,
}) => {
  const creator = await openPortalPage(context, lyingServer.url)
  const joiner = await openPortalPage(await anotherBrowser(), lyingServer.url)
  lyingServer.setRewrites({
    toDevice: (message) => (message.type === 'px-located' ? { type: 'px-located', result: 'classic' } : message),
  })
  const file = await makeRandomFile({ folder, name: 'contract.pdf', bytes: 1000 })
  const code = await openPortal(creator)
  await sendFiles(creator, [file.path])
  await expect(creator.getByText('To be sent when another device connects: contract.pdf')).toBeVisible()

  await joinPortal(joiner, code)
  for (const page of [joiner, creator]) await answerUnverified(page)
  await expect(creator.getByText('Not sent yet: contract.pdf')).toBeVisible()
  await expect(joiner.getByText('Unverified')).toBeVisible()
  await expect(joiner.getByRole('button', { name: 'Accept' })).toHaveCount(0)

  await creator.getByRole('button', { name: 'Send Now' }).click()
  await expect(joiner.getByRole('button', { name: 'Accept' })).toBeVisible()
})

test('T205 a warned creator gets another code only on request', async ({ context, anotherBrowser, lyingServer }) => {
  const creator = await openPortalPage(context, lyingServer.url)
  const guesser = await openPortalPage(await anotherBrowser(), lyingServer.url)
  let pin = await openPortal(creator)
  await joinPortal(guesser, wrongCodeFor(pin))
  await expect.poll(() => readCode(creator)).not.toBe(pin)
  await joinPortal(guesser, wrongCodeFor(await readCode(creator)))

  await creator.getByRole('button', { name: 'Make a new code anyway' }).click()

  await expect(creator.locator('.pin-plates')).toBeVisible()
  pin = await readCode(creator)
  await joinPortal(guesser, pin)
  await expect(creator.getByText('Verified (PIN)')).toBeVisible()
  await expect(creator.getByRole('list', { name: 'Pictures' })).toBeVisible()
})

test('T205 an unverified device is connected only if the user allows it', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await openPortalPage(context, server.url)
  const other = await openPortalPage(await anotherBrowser(), server.url)
  const pin = await openPortal(creator)
  joinAsLegacyPeer(other, { pin }).catch(() => undefined)

  const question = creator.getByRole('alertdialog', { name: 'Connect to an unverified device?' })
  await expect(question).toContainText('can’t prove that it is the device you expect')
  await expectAccessible(creator, 'the question about an unverified device')
  await expect(creator.getByText('Device Connected!')).toHaveCount(0)
  await answerUnverified(creator, 'Decline')

  await expect(creator.getByText('You declined a device. Here is a new code.')).toBeVisible()
  await expect.poll(() => readCode(creator)).not.toBe(pin)
})

test('T205 4 digits of an 8-digit code stay hidden from the server, typed and by link', async ({
  context,
  anotherBrowser,
  lyingServer,
}) => {
  // Simulates a server with 60 codes in use.
  const actual = { prefix: '' }
  const extendedCode = () => `${actual.prefix}17`
  lyingServer.setRewrites({
    toDevice(message) {
      if (message.type !== 'room-created') return message
      actual.prefix = String(message['roomCode'])
      return { ...message, roomCode: extendedCode() }
    },
    fromDevice(message) {
      if (message.type === 'px-locate' && message['prefix'] === extendedCode())
        return { ...message, prefix: actual.prefix }
      const isJoin = message.type === 'join-room' && message['roomCode'] === extendedCode()
      return isJoin ? { ...message, roomCode: actual.prefix } : message
    },
  })
  const creator = await openPortalPage(context, lyingServer.url)
  const joiner = await openPortalPage(await anotherBrowser(), lyingServer.url)
  const pin = await openPortal(creator)
  expect(pin).toMatch(/^\d{8}$/)
  const link = await readPortalLink(creator)
  expect(new URL(link).search).toMatch(new RegExp(`^\\?join=${pin.slice(0, 4)}\\d\\d$`))

  await joiner.getByRole('button', { name: 'My code has 8 digits' }).click()
  await joinPortal(joiner, pin)

  for (const page of [creator, joiner]) await expect(page.getByText('Verified (PIN)')).toBeVisible()
  expect(lyingServer.received.flat().filter((text) => text.includes(pin.slice(4)))).toEqual([])
  for (const page of [creator, joiner]) await page.close()
  const next = await openPortalPage(context, lyingServer.url)
  await openPortal(next)
  const follower = await openLink(await anotherBrowser(), lyingServer.url, await readPortalLink(next))
  for (const page of [next, follower]) await expect(page.getByText('Verified (link)')).toBeVisible()
})

test('T212 POR-02 a link joins by its secret, and no request contains the typed digits, not even the first one', async ({
  context,
  anotherBrowser,
  lyingServer,
}) => {
  const creator = await openPortalPage(context, lyingServer.url)
  const pin = await openPortal(creator)
  const link = await readPortalLink(creator)
  const [digits, secret] = [/join=(\d{6})/.exec(link)?.[1] ?? '', link.split('#k=')[1] ?? '']
  const other = await anotherBrowser()
  await other.grantPermissions(['camera'], { origin: lyingServer.url })
  const joiner = await other.newPage()
  const requests: string[] = []
  const addresses: string[] = []
  joiner.on('request', (request) => {
    requests.push(JSON.stringify([request.url(), request.headers(), request.postData()]))
    if (new URL(request.url()).pathname.startsWith('/api/')) addresses.push(joiner.url())
  })

  await joiner.goto(link)

  for (const page of [creator, joiner]) await expect(page.getByText('Verified (link)')).toBeVisible()
  expect(secret).toHaveLength(22)
  expect(digits.slice(0, 2)).toBe(pin.slice(0, 2))
  expect(requests[0]).toContain(digits)
  expect(
    [...requests, ...lyingServer.received.flat()].filter((text) => text.includes(pin) || text.includes(secret)),
  ).toEqual([])
  expect(lyingServer.received.flat().filter((text) => text.includes(pin.slice(2)))).toEqual([])
  expect(addresses.length).toBeGreaterThan(0)
  expect(new Set(addresses)).toEqual(new Set([`${lyingServer.url}/portal?anonymous=true`]))
})

test('T212 the digits of a link join nothing without its fragment', async ({
  context,
  anotherBrowser,
  lyingServer,
}) => {
  const creator = await openPortalPage(context, lyingServer.url)
  const pin = await openPortal(creator)
  const link = await readPortalLink(creator)

  const joiner = await openLink(await anotherBrowser(), lyingServer.url, link.replace(/#k=.*/, '#k=damaged'))

  await expect(joiner.getByRole('alert').getByText('This link is incomplete.')).toBeVisible()
  expect(lyingServer.received.flat().filter((text) => /px-locate|join-room/.test(text))).toEqual([])
  expect(await readCode(creator)).toBe(pin)
})
