import type { BrowserContext, Page } from '@playwright/test'
import { joinAsBasicPeer } from '../support/basic-peer.ts'
import { expectAccessible } from '../support/expect-accessible.ts'
import { standInBetween } from '../support/in-between.ts'
import { test as base, expect } from '../support/journey.ts'
import { type LyingServer, startLyingServer } from '../support/lying-server.ts'
import {
  answerUnverified,
  atPortal,
  direct,
  joinPortal,
  openPortal,
  picturesOf,
  readCode,
  sendFiles,
  wrongCodeFor,
} from '../support/portals.ts'
import { readLink } from '../support/qr-picture.ts'
import { makeRandomFile } from '../support/random-file.ts'

const test = base.extend<{ liar: LyingServer }>({
  liar: async ({ server }, use) => {
    const liar = await startLyingServer(server.url)
    await use(liar)
    await liar.close()
  },
})

test.use({ launchOptions: direct })

const notVerified = 'The other device could not be verified. Ask for a new link or code.'
const tampered = 'Somebody changed what the two devices say to each other. The portal was closed.'

/** A page that followed a link. */
async function follow(context: BrowserContext, url: string, link: string): Promise<Page> {
  await context.grantPermissions(['camera'], { origin: url })
  const page = await context.newPage()
  await page.goto(link)
  return page
}

test('T205 a server that puts its own certificate into what devices tell each other is refused, by code and by link', async ({
  context,
  anotherBrowser,
  liar,
}) => {
  const other = await anotherBrowser()
  for (const way of ['code', 'link'] as const) {
    const creator = await atPortal(context, liar.url)
    const pin = await openPortal(creator)
    const link = await readLink(creator)
    const foreign = `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AA').join(':')}`
    liar.lie({
      told: (message) =>
        message.type === 'webrtc-offer'
          ? { ...message, data: { type: 'offer', sdp: `v=0\r\n${foreign}\r\n` } }
          : message,
    })
    const joiner = way === 'link' ? await follow(other, liar.url, link) : await atPortal(other, liar.url)
    if (way === 'code') await joinPortal(joiner, pin)

    await expect(joiner.getByRole('alert').getByText(tampered)).toBeVisible()
    await expect(joiner.getByText(/Verified \(/)).toHaveCount(0)
    await expect(joiner.getByRole('button', { name: 'Send File' })).toHaveCount(0)
    await creator.close()
    await joiner.close()
  }
})

test('T205 a server that leads a link or a code to a device of its own gets neither', async ({
  context,
  anotherBrowser,
  liar,
}) => {
  const creator = await atPortal(context, liar.url)
  const pin = await openPortal(creator)
  const link = await readLink(creator)
  const third = await anotherBrowser()
  const own = await atPortal(third, liar.url)
  let caught = await openPortal(own)
  liar.lie({
    said(message) {
      if (message.type === 'px-locate') return { ...message, prefix: caught.slice(0, 2) }
      return message.type === 'join-room' ? { ...message, roomCode: caught.slice(0, 2) } : message
    },
  })
  const other = await anotherBrowser()

  const byLink = await follow(other, liar.url, link)
  await expect(byLink.getByRole('alert').getByText(notVerified)).toBeVisible()
  await expect(own.getByText('A wrong code was entered.')).toBeVisible()
  await expect.poll(() => readCode(own)).not.toBe(caught)
  caught = await readCode(own)
  const byCode = await atPortal(other, liar.url)
  await joinPortal(byCode, pin)

  await expect(byCode.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  await expect(own.getByRole('button', { name: 'Send File' })).toBeDisabled()
  await expect(creator.getByText('Waiting for another device to join')).toBeVisible()
  const tail = pin.slice(2)
  expect(
    liar.heard.flat().filter((text) => text.includes(tail) || text.includes(link.split('#k=')[1] ?? link)),
  ).toEqual([])
})

test('T205 a link that carries a secret is not talked into the basic protocol', async ({
  context,
  anotherBrowser,
  liar,
}) => {
  const creator = await atPortal(context, liar.url)
  const pin = await openPortal(creator)
  liar.lie({ told: (message) => (message.type === 'px-located' ? { type: 'px-located', result: 'classic' } : message) })

  const joiner = await follow(await anotherBrowser(), liar.url, await readLink(creator))

  await expect(joiner.getByRole('alert').getByText(notVerified)).toBeVisible()
  expect(liar.heard.flat().filter((text) => text.includes(pin.slice(2)))).toEqual([])
})

test('T205 two of ours that a server calls old devices see the same pictures, and stay unverified', async ({
  context,
  anotherBrowser,
  liar,
}) => {
  const creator = await atPortal(context, liar.url)
  const joiner = await atPortal(await anotherBrowser(), liar.url)
  liar.lie({ told: (message) => (message.type === 'px-located' ? { type: 'px-located', result: 'classic' } : message) })

  await joinPortal(joiner, await openPortal(creator))
  for (const page of [joiner, creator]) await answerUnverified(page)

  for (const page of [creator, joiner]) {
    await expect(page.getByText('Unverified')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('Compare the pictures with the other device before you send anything.')).toBeVisible()
  }
  const pictures = await picturesOf(creator)
  expect(await picturesOf(joiner)).toEqual(pictures)
  await expectAccessible(joiner, 'an unverified portal')
})

test('T205 where a server swaps certificates between two that proved nothing, the pictures differ', async ({
  context,
  anotherBrowser,
  folder,
  liar,
}) => {
  const third = await anotherBrowser()
  await third.grantPermissions(['camera'], { origin: liar.url })
  await standInBetween(third, liar)
  const creator = await atPortal(context, liar.url)
  const joiner = await atPortal(await anotherBrowser(), liar.url)

  await joinPortal(joiner, await openPortal(creator))
  for (const page of [joiner, creator]) await answerUnverified(page)

  for (const page of [creator, joiner]) await expect(page.getByText('Unverified')).toBeVisible({ timeout: 30_000 })
  expect(await picturesOf(creator)).not.toEqual(await picturesOf(joiner))
  // File keys are wrapped under what the pictures show, so bytes do not pass either.
  const file = await makeRandomFile({ folder, name: 'secret.bin', bytes: 1000 })
  await sendFiles(creator, [file.path])
  await joiner.getByRole('button', { name: 'Accept' }).click()
  await expect(joiner.getByText(/transfer failed/i)).toBeVisible()
})

test('T205 who was told the code as an old device and then joins with it shows other pictures than the one who told it', async ({
  context,
  anotherBrowser,
  liar,
}) => {
  const creator = await atPortal(context, liar.url)
  const pin = await openPortal(creator)
  const third = await anotherBrowser()
  const [toCreator, toJoiner] = [await atPortal(third, liar.url), await atPortal(third, liar.url)]
  const ownPin = await openPortal(toJoiner)
  const learned: unknown[] = []
  liar.lie({
    said(message, line) {
      if (message.type === 'px-locate' && learned.length === 0) {
        line.tell({ type: 'px-located', result: 'classic' })
        return null
      }
      if (message.type !== 'join-room' || message['px']) return message
      learned.push(message['roomCode'])
      return { ...message, roomCode: ownPin }
    },
  })
  const joiner = await atPortal(await anotherBrowser(), liar.url)
  await joinPortal(joiner, pin)
  for (const page of [joiner, toJoiner]) await answerUnverified(page)
  await expect(joiner.getByText('Unverified')).toBeVisible({ timeout: 30_000 })
  expect(learned).toEqual([pin])
  await joinPortal(toCreator, pin)
  await expect(creator.getByText('Verified (PIN)')).toBeVisible({ timeout: 30_000 })

  expect(await picturesOf(creator)).not.toEqual(await picturesOf(joiner))
})

test('T205 after two wrong codes the creator is warned and gets no third one, and a link still joins', async ({
  context,
  anotherBrowser,
  liar,
}) => {
  const creator = await atPortal(context, liar.url)
  const guesser = await atPortal(await anotherBrowser(), liar.url)
  const pin = await openPortal(creator)
  await joinPortal(guesser, wrongCodeFor(pin))
  await expect(creator.getByText('A wrong code was entered. Here is a new one.')).toBeVisible()
  await expect.poll(() => readCode(creator)).not.toBe(pin)

  await joinPortal(guesser, wrongCodeFor(await readCode(creator)))

  await expect(creator.getByRole('alert').getByText('Someone may be guessing your code')).toBeVisible()
  await expect(creator.getByText('Your codes were used up by devices that couldn’t join')).toBeVisible()
  await expect(creator.locator('.pin-plates')).toHaveCount(0)
  await expect(creator.getByRole('img', { name: 'Scan to join instantly' })).toHaveCount(0)
  await expectAccessible(creator, 'a portal whose code was guessed at')
  await creator.getByRole('button', { name: 'Use a link or QR code' }).click()
  await expect(creator.locator('#main')).toBeFocused()
  const link = await readLink(creator)
  await joinPortal(guesser, /join=(\d{6})/.exec(link)?.[1] ?? '')
  await expect(guesser.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  const joiner = await follow(await anotherBrowser(), liar.url, link)
  for (const page of [creator, joiner]) await expect(page.getByText('Verified (link)')).toBeVisible({ timeout: 30_000 })
})

test('T205 a person who has been warned gets another code only by asking for it', async ({
  context,
  anotherBrowser,
  liar,
}) => {
  const creator = await atPortal(context, liar.url)
  const guesser = await atPortal(await anotherBrowser(), liar.url)
  let pin = await openPortal(creator)
  await joinPortal(guesser, wrongCodeFor(pin))
  await expect.poll(() => readCode(creator)).not.toBe(pin)
  await joinPortal(guesser, wrongCodeFor(await readCode(creator)))

  await creator.getByRole('button', { name: 'Make a new code anyway' }).click()

  await expect(creator.locator('.pin-plates')).toBeVisible()
  pin = await readCode(creator)
  await joinPortal(guesser, pin)
  await expect(creator.getByText('Verified (PIN)')).toBeVisible({ timeout: 30_000 })
  await expect(creator.getByRole('list', { name: 'Pictures' })).toBeVisible()
})

test('T205 a device that cannot be verified is connected only where the person allows it', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await atPortal(context, server.url)
  const other = await atPortal(await anotherBrowser(), server.url)
  const pin = await openPortal(creator)
  joinAsBasicPeer(other, { pin }).catch(() => undefined)

  const question = creator.getByRole('alertdialog', { name: 'Connect to an unverified device?' })
  await expect(question).toContainText('can’t prove that it is the device you expect')
  await expectAccessible(creator, 'the question about an unverified device')
  await expect(creator.getByText('Device Connected!')).toHaveCount(0)
  await answerUnverified(creator, 'Decline')

  await expect(creator.getByText('You declined a device. Here is a new code.')).toBeVisible()
  await expect.poll(() => readCode(creator)).not.toBe(pin)
})

test('T205 codes of eight digits keep four of them from the server, typed and by link', async ({
  context,
  anotherBrowser,
  liar,
}) => {
  // Stands for a server on which sixty codes are in use.
  const real = { prefix: '' }
  const long = () => `${real.prefix}17`
  liar.lie({
    told(message) {
      if (message.type !== 'room-created') return message
      real.prefix = String(message['roomCode'])
      return { ...message, roomCode: long() }
    },
    said(message) {
      if (message.type === 'px-locate' && message['prefix'] === long()) return { ...message, prefix: real.prefix }
      const isJoin = message.type === 'join-room' && message['roomCode'] === long()
      return isJoin ? { ...message, roomCode: real.prefix } : message
    },
  })
  const creator = await atPortal(context, liar.url)
  const joiner = await atPortal(await anotherBrowser(), liar.url)
  const pin = await openPortal(creator)
  expect(pin).toMatch(/^\d{8}$/)
  const link = await readLink(creator)
  expect(new URL(link).search).toMatch(new RegExp(`^\\?join=${pin.slice(0, 4)}\\d\\d$`))

  await joiner.getByRole('button', { name: 'My code has 8 digits' }).click()
  await joinPortal(joiner, pin)

  for (const page of [creator, joiner]) await expect(page.getByText('Verified (PIN)')).toBeVisible({ timeout: 30_000 })
  expect(liar.heard.flat().filter((text) => text.includes(pin.slice(4)))).toEqual([])
  for (const page of [creator, joiner]) await page.close()
  const next = await atPortal(context, liar.url)
  await openPortal(next)
  const follower = await follow(await anotherBrowser(), liar.url, await readLink(next))
  for (const page of [next, follower]) await expect(page.getByText('Verified (link)')).toBeVisible({ timeout: 30_000 })
})

test('T212 POR-02 a link joins by its secret, and no request holds the digits that people type, not even the first', async ({
  context,
  anotherBrowser,
  liar,
}) => {
  const creator = await atPortal(context, liar.url)
  const pin = await openPortal(creator)
  const link = await readLink(creator)
  const [digits, secret] = [/join=(\d{6})/.exec(link)?.[1] ?? '', link.split('#k=')[1] ?? '']
  const other = await anotherBrowser()
  await other.grantPermissions(['camera'], { origin: liar.url })
  const joiner = await other.newPage()
  const asked: string[] = []
  const addresses: string[] = []
  joiner.on('request', (request) => {
    asked.push(JSON.stringify([request.url(), request.headers(), request.postData()]))
    if (new URL(request.url()).pathname.startsWith('/api/')) addresses.push(joiner.url())
  })

  await joiner.goto(link)

  for (const page of [creator, joiner]) await expect(page.getByText('Verified (link)')).toBeVisible({ timeout: 30_000 })
  expect(secret).toHaveLength(22)
  expect(digits.slice(0, 2)).toBe(pin.slice(0, 2))
  expect(asked[0]).toContain(digits)
  expect([...asked, ...liar.heard.flat()].filter((text) => text.includes(pin) || text.includes(secret))).toEqual([])
  expect(liar.heard.flat().filter((text) => text.includes(pin.slice(2)))).toEqual([])
  expect(addresses.length).toBeGreaterThan(0)
  expect(new Set(addresses)).toEqual(new Set([`${liar.url}/portal?anonymous=true`]))
})

test('T212 the digits of a link open nothing without what stands behind its #', async ({
  context,
  anotherBrowser,
  liar,
}) => {
  const creator = await atPortal(context, liar.url)
  const pin = await openPortal(creator)
  const link = await readLink(creator)

  const joiner = await follow(await anotherBrowser(), liar.url, link.replace(/#k=.*/, '#k=damaged'))

  await expect(joiner.getByRole('alert').getByText('This link is incomplete.')).toBeVisible()
  expect(liar.heard.flat().filter((text) => /px-locate|join-room/.test(text))).toEqual([])
  expect(await readCode(creator)).toBe(pin)
})
