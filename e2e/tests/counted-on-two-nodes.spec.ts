import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { openShareLink } from '@sallyport/client/sharing/shared-file'
import { shareLimits } from '@sallyport/contract/limits'
import { signallingPath } from '@sallyport/contract/portals'
import { guessingLimits, rateLimits } from '@sallyport/contract/server-limits'
import { shareProof, toBase64url } from '@sallyport/crypto'
import { createAccount } from '../support/account.ts'
import { enterPassword, expectFiles, fileRow, fillSignIn, signIn } from '../support/people.ts'
import { atPortal, direct, joinPortal, openPortal, readCode, wrongCodeFor } from '../support/portals.ts'
import { readLink } from '../support/qr-picture.ts'
import { addApp, giveCode } from '../support/second-factor.ts'
import { shareByLink } from '../support/shared-file.ts'
import { expect, nodeOf, test } from '../support/two-nodes.ts'

test.use({ launchOptions: direct })

const home = '203.0.113.1'
const minute = 60_000
const usedUp = 'This link has been used up and can’t be opened again.'
const notFound = (page: Page) => page.getByRole('heading', { name: 'File not found or expired' })

async function download(page: Page): Promise<void> {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  await saving
}

test('SHR-01 a link allowed two downloads is used up by one at each node, and its owner sees both', async ({
  page,
  nodes,
  visit,
}) => {
  const [one, other] = nodes
  const { account, link } = await shareByLink(one.url, new File(['hello'], 'plans.txt'), { maxDownloads: 2 })
  const linkAt = (url: string): string => link.replace(one.url, url)
  await signIn(page, account)
  await fileRow(page, 'plans.txt').getByRole('button', { name: 'Share by link' }).click()
  await expect(page.getByText('Not downloaded yet')).toBeVisible()
  const [first, second] = [await visit(one), await visit(other)]
  await first.goto(link)
  await second.goto(linkAt(other.url))

  await download(first)
  await expect(first.getByRole('button', { name: 'Download again' })).toBeVisible()
  await download(second)
  await expect(second.getByText(usedUp)).toBeVisible()
  await expect(second.getByRole('button', { name: 'Download again' })).toHaveCount(0)

  await expect(page.getByText(/^Downloaded 2 times, last .*\. This link has been used up\./)).toBeVisible()
  await first.getByRole('button', { name: 'Download again' }).click()
  await expect(notFound(first)).toBeVisible()
  for (const node of nodes) {
    const late = await visit(node)
    await late.goto(linkAt(node.url))
    await expect(notFound(late)).toBeVisible()
  }
})

/** Takes a part of a shared file as a page of the server's may, and returns the number of bytes that came. */
const takePart = (page: Page, path: string, headers: Record<string, string>): Promise<number> =>
  page.evaluate(
    async ([from, sent]) => {
      const answer = await fetch(from, { headers: sent })
      const reader = answer.ok ? answer.body?.getReader() : undefined
      for (let bytes = 0; ; ) {
        // A node that may send nothing more closes the connection.
        const piece = await reader?.read().catch(() => undefined)
        if (!piece?.value) return bytes
        bytes += piece.value.length
      }
    },
    [path, headers] as const,
  )

test('SHR-04 bytes of a limited link are booked once over both nodes, however a download is cut up', async ({
  nodes,
  visit,
  setClocks,
}) => {
  const file = new File([randomBytes(2_000_000)], 'plans.bin')
  const { link, look } = await shareByLink(nodes[0].url, file, { maxDownloads: 1 })
  const { token, shareKey } = await openShareLink(link)
  const path = `/api/share/${token}`
  const proof = toBase64url(await shareProof(shareKey))
  const pages = [await visit(nodes[0]), await visit(nodes[1])] as const
  for (const [index, page] of pages.entries()) await page.goto(`${nodeOf(nodes, index).url}/`)
  const take = (turn: number, claim: string, range?: string): Promise<number> =>
    takePart(turn % 2 === 0 ? pages[0] : pages[1], path, {
      'x-share-proof': proof,
      'x-share-claim': claim,
      ...(range && { range }),
    })
  const aClaim = (): string => toBase64url(randomBytes(16))

  const [first, second] = [aClaim(), aClaim()]
  let bytes = await take(0, first, 'bytes=0-799999')
  expect(bytes).toBe(800_000)
  expect((await look()).downloads).toBe(0)
  expect(await take(1, second, 'bytes=0-799999'), 'the first one may still go on').toBe(0)
  await setClocks(shareLimits.placeAfterCutMs + 1000)
  bytes += await take(1, second, 'bytes=800000-1599999')
  expect((await look()).downloads, 'parts of several downloads add up to one').toBe(1)
  await setClocks(2 * (shareLimits.placeAfterCutMs + 1000))
  for (const part of await Promise.all([0, 1, 2, 3].map((turn) => take(turn, second)))) bytes += part
  for (const turn of [0, 1]) expect(await take(turn, aClaim())).toBe(0)

  expect(bytes).toBeLessThanOrEqual(2 * (file.size + 1000))
  for (const node of nodes) {
    const late = await visit(node)
    await late.goto(link.replace(nodes[0].url, node.url))
    await expect(notFound(late)).toBeVisible()
  }
})

test('T049 wrong passwords at both nodes add up: strangers have to wait, and the owner gets in and one notice', async ({
  nodes,
  visit,
  mail,
}) => {
  const [one, other] = nodes
  const account = await createAccount(one.url)
  await signIn(await visit(one, home), account)
  for (let guess = 0; guess < rateLimits.signInFailuresPerDay.points; guess += 1) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${Math.floor(guess / 5)}` }
    const body = JSON.stringify({ email: account.email, password: `Zk2.${randomBytes(32).toString('base64url')}` })
    const answer = await fetch(`${nodeOf(nodes, guess).url}/api/login`, { method: 'POST', headers, body })
    expect(answer.status).toBe(401)
  }

  const stranger = await visit(other)
  await stranger.goto('/')
  for (let guess = 0; guess < rateLimits.signInFailuresWhileGuessed.points; guess += 1) {
    await fillSignIn(stranger, { ...account, password: `not the password ${guess}` })
    await stranger.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(stranger.getByRole('alert')).toHaveText('Invalid email or password')
  }
  await fillSignIn(stranger, account)
  await stranger.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(stranger.getByRole('alert')).toHaveText('Too many requests. Please wait a moment and try again.')

  await signIn(await visit(other, home), account)
  const notices = () => mail.letters.filter(({ subject }) => subject === 'Many wrong passwords for your account')
  await expect.poll(notices).toHaveLength(1)
  expect(notices()[0]?.to?.[0]?.address).toBe(account.email)
})

test('T076 wrong codes at both nodes add up: even the right one has to wait, and the owner gets in and a notice', async ({
  nodes,
  visit,
  mail,
}) => {
  const account = await createAccount(nodes[0].url)
  const owner = await visit(nodes[0], home)
  await signIn(owner, account)
  const app = await addApp(owner)
  const thieves = [await visit(nodes[0]), await visit(nodes[1])] as const
  for (const thief of thieves) await enterPassword(thief, account)

  const { points } = guessingLimits.secondFactorTiers[0]
  for (let guess = 0; guess < points; guess += 1) {
    const thief = guess % 2 === 0 ? thieves[0] : thieves[1]
    const answered = thief.waitForResponse((response) => response.url().endsWith('/verify'))
    await giveCode(thief, '000000')
    expect((await answered).ok()).toBe(false)
    await expect(thief.getByRole('alert')).toContainText('This code is not right.')
  }
  const code = app.next()
  for (const thief of thieves) {
    await giveCode(thief, code)
    await expect(thief.getByRole('alert')).toHaveText(/^Too many wrong codes\. Try again in \d minutes/)
  }

  const again = await visit(nodes[1], home)
  await enterPassword(again, account)
  await giveCode(again, code)
  await expectFiles(again)
  const notices = () => mail.letters.filter(({ subject }) => subject === 'Many wrong codes for your account')
  await expect.poll(notices).toHaveLength(1)
})

test('T070 a copied refresh token that is used at the other node ends the sign-in, and the owner sees it', async ({
  nodes,
  visit,
  setClocks,
}) => {
  const [one, other] = nodes
  const account = await createAccount(one.url)
  const owner = await visit(one)
  await owner.clock.install()
  await signIn(owner, account)
  const refreshToken = (): Promise<string> =>
    owner.evaluate(() => JSON.parse(localStorage.getItem('sallyport-auth') ?? '{}').refresh_token)
  const copied = await refreshToken()
  let current = copied
  for (const round of [1, 2]) {
    await setClocks(round * 61 * minute)
    const refreshed = owner.waitForResponse(
      (answer) => answer.url().includes('grant_type=refresh_token') && answer.ok(),
    )
    await owner.clock.fastForward(61 * minute)
    await owner.reload()
    await expectFiles(owner)
    await refreshed
    // The page may be between two tokens.
    await expect.poll(async () => [undefined, current].includes(await refreshToken())).toBe(false)
    current = await refreshToken()
  }

  const thief = await visit(other)
  await thief.goto('/')
  const refresh = (token: string): Promise<number> =>
    thief.evaluate(async (refresh_token) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ refresh_token })
      return (await fetch('/auth/v1/token?grant_type=refresh_token', { method: 'POST', headers, body })).status
    }, token)

  expect(await refresh(copied)).toBe(400)
  await expect(owner.getByText('Your session has expired. Please log in again.')).toBeVisible()
  expect(await refresh(current), 'the newest one is over too').toBe(400)
})

test('POR-10 T205 wrong codes from both nodes use up two codes and no more, and a link still joins', async ({
  balancer,
  visit,
}) => {
  const open = async (): Promise<Page> => atPortal((await visit(balancer)).context(), balancer.url)
  const [creator, guesser, another] = [await open(), await open(), await open()]
  const pin = await openPortal(creator)
  await joinPortal(guesser, wrongCodeFor(pin))
  await expect(creator.getByText('A wrong code was entered. Here is a new one.')).toBeVisible()
  await expect.poll(() => readCode(creator)).not.toBe(pin)
  await joinPortal(another, wrongCodeFor(await readCode(creator)))

  await expect(creator.getByRole('alert').getByText('Someone may be guessing your code')).toBeVisible()
  await expect(creator.locator('.pin-plates')).toHaveCount(0)
  for (const sockets of balancer.socketsAt(signallingPath)) expect(sockets).toBeGreaterThan(0)
  await joinPortal(guesser, pin)
  await expect(guesser.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  await creator.getByRole('button', { name: 'Use a link or QR code' }).click()
  const joiner = await open()
  await joiner.goto(await readLink(creator))
  for (const page of [creator, joiner]) await expect(page.getByText('Verified (link)')).toBeVisible({ timeout: 30_000 })
})
