import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { parseShareLink } from '@sallyport/client/sharing/shared-file'
import { shareLimits } from '@sallyport/contract/limits'
import { signallingPath } from '@sallyport/contract/portals'
import { guessingLimits, rateLimits } from '@sallyport/contract/server-limits'
import { shareProof, toBase64url } from '@sallyport/crypto'
import { createAccount } from '../../support/account/account.ts'
import { addAuthenticatorApp, enterMfaCode } from '../../support/account/mfa.ts'
import { enterPassword, expectFiles, fileRow, fillSignIn, signIn } from '../../support/account/users.ts'
import { shareByLink } from '../../support/files/shared-file.ts'
import {
  directConnectionOptions,
  joinPortal,
  openPortal,
  openPortalPage,
  readCode,
  wrongCodeFor,
} from '../../support/portals/portals.ts'
import { readPortalLink } from '../../support/portals/qr-code.ts'
import { expect, nodeOf, test } from '../../support/server/two-nodes.ts'

test.use({ launchOptions: directConnectionOptions })

const ownerAddress = '203.0.113.1'
const minute = 60_000
const usedUpMessage = 'This link has reached its download limit.'
const notFoundHeading = (page: Page) => page.getByRole('heading', { name: 'File not found or expired' })

async function download(page: Page): Promise<void> {
  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  await downloaded
}

test('SHR-01 a link limited to 2 downloads is used up by 1 at each node, and its owner sees both', async ({
  page,
  nodes,
  openPageAt,
}) => {
  const [one, other] = nodes
  const { account, link } = await shareByLink(one.url, new File(['hello'], 'plans.txt'), { maxDownloads: 2 })
  const linkAt = (url: string): string => link.replace(one.url, url)
  await signIn(page, account)
  await fileRow(page, 'plans.txt').getByRole('button', { name: 'Share by link' }).click()
  await expect(page.getByText('Not downloaded yet')).toBeVisible()
  const [first, second] = [await openPageAt(one), await openPageAt(other)]
  await first.goto(link)
  await second.goto(linkAt(other.url))

  await download(first)
  await expect(first.getByRole('button', { name: 'Download again' })).toBeVisible()
  await download(second)
  await expect(second.getByText(usedUpMessage)).toBeVisible()
  await expect(second.getByRole('button', { name: 'Download again' })).toHaveCount(0)

  await expect(
    page.getByText(/^Downloaded 2 times, last .*\. This link has reached its download limit\./),
  ).toBeVisible()
  await first.getByRole('button', { name: 'Download again' }).click()
  await expect(notFoundHeading(first)).toBeVisible()
  for (const node of nodes) {
    const latePage = await openPageAt(node)
    await latePage.goto(linkAt(node.url))
    await expect(notFoundHeading(latePage)).toBeVisible()
  }
})

/** Downloads a range of a shared file as a page may, and resolves with the number of bytes received. */
const downloadRange = (page: Page, path: string, headers: Record<string, string>): Promise<number> =>
  page.evaluate(
    async ([from, sent]) => {
      const response = await fetch(from, { headers: sent })
      const reader = response.ok ? response.body?.getReader() : undefined
      for (let bytes = 0; ; ) {
        // A node that has reached the limit closes the connection.
        const chunk = await reader?.read().catch(() => undefined)
        if (!chunk?.value) return bytes
        bytes += chunk.value.length
      }
    },
    [path, headers] as const,
  )

test('SHR-04 bytes of a limited link are counted once across both nodes, however a download is split', async ({
  nodes,
  openPageAt,
  setClocks,
}) => {
  const file = new File([randomBytes(2_000_000)], 'plans.bin')
  const { link, getShare } = await shareByLink(nodes[0].url, file, { maxDownloads: 1 })
  const { token, shareKey } = await parseShareLink(link)
  const path = `/api/share/${token}`
  const proof = toBase64url(await shareProof(shareKey))
  const pages = [await openPageAt(nodes[0]), await openPageAt(nodes[1])] as const
  for (const [index, page] of pages.entries()) await page.goto(`${nodeOf(nodes, index).url}/`)
  const downloadPart = (nodeIndex: number, downloadClaim: string, range?: string): Promise<number> =>
    downloadRange(nodeIndex % 2 === 0 ? pages[0] : pages[1], path, {
      'x-share-proof': proof,
      'x-share-claim': downloadClaim,
      ...(range && { range }),
    })
  const newClaim = (): string => toBase64url(randomBytes(16))

  const [first, second] = [newClaim(), newClaim()]
  let bytes = await downloadPart(0, first, 'bytes=0-799999')
  expect(bytes).toBe(800_000)
  expect((await getShare()).downloads).toBe(0)
  expect(await downloadPart(1, second, 'bytes=0-799999'), 'the first download may still resume').toBe(0)
  await setClocks(shareLimits.leaseAfterDisconnectMs + 1000)
  bytes += await downloadPart(1, second, 'bytes=800000-1599999')
  expect((await getShare()).downloads, 'parts of several downloads add up to one').toBe(1)
  await setClocks(2 * (shareLimits.leaseAfterDisconnectMs + 1000))
  for (const part of await Promise.all([0, 1, 2, 3].map((nodeIndex) => downloadPart(nodeIndex, second)))) bytes += part
  for (const nodeIndex of [0, 1]) expect(await downloadPart(nodeIndex, newClaim())).toBe(0)

  expect(bytes).toBeLessThanOrEqual(2 * (file.size + 1000))
  for (const node of nodes) {
    const latePage = await openPageAt(node)
    await latePage.goto(link.replace(nodes[0].url, node.url))
    await expect(notFoundHeading(latePage)).toBeVisible()
  }
})

test('T049 wrong passwords at both nodes add up: strangers are rate limited, the owner signs in and gets 1 notice', async ({
  nodes,
  openPageAt,
  mail,
}) => {
  const [one, other] = nodes
  const account = await createAccount(one.url)
  await signIn(await openPageAt(one, ownerAddress), account)
  for (let guess = 0; guess < rateLimits.signInFailuresPerDay.points; guess += 1) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${Math.floor(guess / 5)}` }
    const body = JSON.stringify({ email: account.email, password: `Zk2.${randomBytes(32).toString('base64url')}` })
    const response = await fetch(`${nodeOf(nodes, guess).url}/api/login`, { method: 'POST', headers, body })
    expect(response.status).toBe(401)
  }

  const stranger = await openPageAt(other)
  await stranger.goto('/')
  for (let guess = 0; guess < rateLimits.signInFailuresWhileGuessed.points; guess += 1) {
    await fillSignIn(stranger, { ...account, password: `not the password ${guess}` })
    await stranger.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(stranger.getByRole('alert')).toHaveText('Invalid email or password')
  }
  await fillSignIn(stranger, account)
  await stranger.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(stranger.getByRole('alert')).toHaveText(/^Too many requests\. Try again in \d+ minutes?\.$/)

  await signIn(await openPageAt(other, ownerAddress), account)
  const noticeEmails = () => mail.emails.filter(({ subject }) => subject === 'Many wrong passwords for your account')
  await expect.poll(noticeEmails).toHaveLength(1)
  expect(noticeEmails()[0]?.to?.[0]?.address).toBe(account.email)
})

test('T076 wrong codes at both nodes add up: even the correct code is rate limited, the owner signs in and gets 1 notice', async ({
  nodes,
  openPageAt,
  mail,
}) => {
  const account = await createAccount(nodes[0].url)
  const owner = await openPageAt(nodes[0], ownerAddress)
  await signIn(owner, account)
  const app = await addAuthenticatorApp(owner)
  const attackers = [await openPageAt(nodes[0]), await openPageAt(nodes[1])] as const
  for (const attacker of attackers) await enterPassword(attacker, account)

  const { points } = guessingLimits.mfaTiers[0]
  for (let guess = 0; guess < points; guess += 1) {
    const attacker = guess % 2 === 0 ? attackers[0] : attackers[1]
    const responded = attacker.waitForResponse((response) => response.url().endsWith('/verify'))
    await enterMfaCode(attacker, '000000')
    expect((await responded).ok()).toBe(false)
    await expect(attacker.getByRole('alert')).toContainText('Incorrect code.')
  }
  const code = app.nextCode()
  for (const attacker of attackers) {
    await enterMfaCode(attacker, code)
    await expect(attacker.getByRole('alert')).toHaveText(/^Too many wrong codes\. Try again in \d minutes/)
  }

  const again = await openPageAt(nodes[1], ownerAddress)
  await enterPassword(again, account)
  await enterMfaCode(again, code)
  await expectFiles(again)
  const noticeEmails = () => mail.emails.filter(({ subject }) => subject === 'Many wrong codes for your account')
  await expect.poll(noticeEmails).toHaveLength(1)
})

test('T070 a stolen refresh token used at the other node ends the sign-in, and the owner sees it', async ({
  nodes,
  openPageAt,
  setClocks,
}) => {
  const [one, other] = nodes
  const account = await createAccount(one.url)
  const owner = await openPageAt(one)
  await owner.clock.install()
  await signIn(owner, account)
  const refreshToken = (): Promise<string> =>
    owner.evaluate(() => JSON.parse(localStorage.getItem('sallyport-auth') ?? '{}').refresh_token)
  const stolenToken = await refreshToken()
  let currentToken = stolenToken
  for (const round of [1, 2]) {
    // Before the servers' clocks move: from then on any call of the page makes it refresh its token.
    const refreshed = owner.waitForResponse(
      (response) => response.url().includes('grant_type=refresh_token') && response.ok(),
    )
    await setClocks(round * 61 * minute)
    await owner.clock.fastForward(61 * minute)
    await owner.reload()
    await expectFiles(owner)
    await refreshed
    // The page may be replacing its token.
    await expect.poll(async () => [undefined, currentToken].includes(await refreshToken())).toBe(false)
    currentToken = await refreshToken()
  }

  const attacker = await openPageAt(other)
  await attacker.goto('/')
  const refresh = (token: string): Promise<number> =>
    attacker.evaluate(async (refresh_token) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ refresh_token })
      return (await fetch('/auth/v1/token?grant_type=refresh_token', { method: 'POST', headers, body })).status
    }, token)

  expect(await refresh(stolenToken)).toBe(400)
  await expect(owner.getByText('Your session has expired. Please log in again.')).toBeVisible()
  expect(await refresh(currentToken), 'the newest token is revoked too').toBe(400)
})

test('POR-10 T205 wrong codes from both nodes use up exactly 2 codes, and a link still joins', async ({
  balancer,
  openPageAt,
}) => {
  const open = async (): Promise<Page> => openPortalPage((await openPageAt(balancer)).context(), balancer.url)
  const [creator, guesser, secondGuesser] = [await open(), await open(), await open()]
  const pin = await openPortal(creator)
  await joinPortal(guesser, wrongCodeFor(pin))
  await expect(creator.getByText('Someone entered a wrong code. Here is a new one.')).toBeVisible()
  await expect.poll(() => readCode(creator)).not.toBe(pin)
  await joinPortal(secondGuesser, wrongCodeFor(await readCode(creator)))

  await expect(creator.getByRole('alert').getByText('Someone may be guessing your code')).toBeVisible()
  await expect(creator.locator('.pin-plates')).toHaveCount(0)
  for (const sockets of balancer.socketsAt(signallingPath)) expect(sockets).toBeGreaterThan(0)
  await joinPortal(guesser, pin)
  await expect(guesser.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  await creator.getByRole('button', { name: 'Use a link or QR code' }).click()
  const joiner = await open()
  await joiner.goto(await readPortalLink(creator))
  for (const page of [creator, joiner]) await expect(page.getByText('Verified (link)')).toBeVisible()
})
