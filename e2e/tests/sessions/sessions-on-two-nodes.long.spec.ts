import type { Page } from '@playwright/test'
import { chatLimits } from '@sallyport/contract/limits'
import { livePath } from '@sallyport/contract/live'
import { pinLimits } from '@sallyport/contract/server-limits'
import { openDatabase } from '../../../apps/server/src/platform/db/open.ts'
import { expect, nodeOf, test } from '../../support/server/two-nodes.ts'
import {
  enterPin,
  hostSession,
  joinAsGuest,
  joinButton,
  log,
  messageWith,
  pinField,
  readPin,
  removeParticipant,
  sendSessionMessage,
  setOption,
  waitingHeading,
} from '../../support/sessions.ts'

/** A proof of work of one second takes longer where many browsers share two cores. */
const proofOfWorkTimeoutMs = 120_000
const joinPath = '/api/sessions/join'
const wrongPinFor = (pin: string): string => (pin === '876543' ? '876544' : '876543')
const joinRequests = (page: Page) => page.getByRole('alert').filter({ hasText: 'is asking to join' })

/** Records the path and token with which a page is admitted, and what its live socket receives. */
function recordSession(page: Page) {
  const events: string[] = []
  const record = { path: '', token: '', openSockets: 0, events }
  page.on('request', (request) => {
    const [path = ''] = /\/api\/sessions\/[0-9a-f-]{36}/.exec(request.url()) ?? []
    const token = request.headers()['x-participant-token']
    if (path && token) Object.assign(record, { path, token })
  })
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).pathname !== livePath) return
    record.openSockets += 1
    socket.on('close', () => {
      record.openSockets -= 1
    })
    socket.on('framereceived', ({ payload }) => events.push(String(payload)))
  })
  return record
}

/** Submits a PIN in a page that already shows the field and resolves with the status of the response. */
async function submitPin(page: Page, pin: string): Promise<number> {
  const responded = page.waitForResponse((response) => new URL(response.url()).pathname === joinPath)
  await pinField(page).fill(pin)
  await joinButton(page).click()
  return (await responded).status()
}

test('SES-06 T193 users on two nodes chat in one session, and one removed on the other node loses the live socket', async ({
  page,
  nodes,
  openPageAt,
}) => {
  const [one, other] = nodes
  const pin = await hostSession(page, one.url)
  const guest = await openPageAt(other)
  const record = recordSession(guest)
  await joinAsGuest(guest, pin)
  await sendSessionMessage(page, 'from the first node')
  await expect(messageWith(guest, 'from the first node')).toBeVisible()
  await sendSessionMessage(guest, 'from the second node')
  await expect(messageWith(page, 'from the second node')).toBeVisible()

  await removeParticipant(page, 'Anonymous')

  await expect(guest.getByText('You were removed from the session')).toBeVisible()
  await sendSessionMessage(page, 'after the removal')
  await expect(messageWith(page, 'after the removal')).toBeVisible()
  expect(record.openSockets).toBe(0)
  expect(JSON.parse(record.events.at(-1) ?? '')).toEqual({ type: 'session.closed', reason: 'removed' })
  for (const { url } of nodes) {
    const headers = { 'x-participant-token': record.token }
    const readResponse = await guest.request.get(`${url}${record.path}/messages`, { headers })
    const writeResponse = await guest.request.post(`${url}${record.path}/tickets`, {
      headers,
      data: { session_pin: pin },
    })
    expect([readResponse.status(), writeResponse.status()]).toEqual([404, 404])
  }
  await enterPin(guest, pin)
  await expect(waitingHeading(guest)).toBeVisible()
  await joinRequests(page).getByRole('button', { name: 'Deny' }).click()
  await expect(guest.getByText('The creator of the session declined your request')).toBeVisible()
})

test('SES-03 approval and a lock set at one node apply at the other', async ({ page, nodes, openPageAt }) => {
  const [one, other] = nodes
  const pin = await hostSession(page, one.url)
  await setOption(page, /Approve newcomers/, true)
  const stranger = await openPageAt(other)
  await enterPin(stranger, pin)
  await expect(waitingHeading(stranger)).toBeVisible()
  const code = (await stranger.getByText('Your code').locator('strong').textContent()) ?? ''
  await joinRequests(page)
    .filter({ hasText: `code ${code}` })
    .getByRole('button', { name: /^Admit/ })
    .click()
  await readPin(stranger)
  await expect(page.getByText('2 people here')).toBeVisible()

  await setOption(page, /Approve newcomers/, false)
  await setOption(page, /Lock the session/, true)
  for (const node of nodes) {
    const latePage = await openPageAt(node)
    await enterPin(latePage, pin)
    await expect(latePage.getByText('Session not found')).toBeVisible()
  }
  await sendSessionMessage(stranger, 'still here')
  await expect(messageWith(page, 'still here')).toBeVisible()
  await setOption(page, /Lock the session/, false)
  await joinAsGuest(await openPageAt(other), pin)
})

test('T084 wrong PINs at one node count at the other: 3 typos still get in, and the 11th guess is rejected', async ({
  page,
  nodes,
  openPageAt,
}) => {
  const [one, other] = nodes
  const pin = await hostSession(page, one.url)
  const wrongPin = wrongPinFor(pin)
  const open = async (node: typeof one, address: string): Promise<Page> => {
    const visitor = await openPageAt(node, address)
    await visitor.goto('/#joinSession')
    return visitor
  }
  const honestPages = [await open(one, '203.0.113.1'), await open(other, '203.0.113.1')] as const
  for (const visitor of [honestPages[0], honestPages[0], honestPages[1]]) {
    expect(await submitPin(visitor, wrongPin)).toBe(404)
    await expect(visitor.getByText('Session not found')).toBeVisible()
  }
  expect(await submitPin(honestPages[1], pin)).toBe(200)
  await readPin(honestPages[1])

  const guesserPages = [await open(one, '203.0.113.2'), await open(other, '203.0.113.2')] as const
  for (let guess = 0; guess < pinLimits.sources.address.failures; guess += 1) {
    expect(await submitPin(guess % 2 === 0 ? guesserPages[0] : guesserPages[1], wrongPin)).toBe(404)
  }
  for (const visitor of guesserPages) {
    expect(await submitPin(visitor, pin)).toBe(429)
    await expect(visitor.getByText(/^Too many wrong PINs\. Try again in \d+ minutes?\.$/)).toBeVisible()
  }
  const neighbour = await open(one, '203.0.113.3')
  expect(await submitPin(neighbour, pin)).toBe(200)
})

test('T086 wrong PINs at both nodes share one budget: strangers get a proof of work, then wait for approval, and members are unaffected', async ({
  page,
  nodes,
  openPageAt,
  databaseUrl,
  folder,
}) => {
  const [one, other] = nodes
  const pin = await hostSession(page, one.url)
  await sendSessionMessage(page, 'welcome')
  const wrongPin = wrongPinFor(pin)
  for (let guess = 0; guess < pinLimits.workFromFailures; guess += 1) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `192.0.${guess}.1` }
    const body = JSON.stringify({ session_pin: wrongPin })
    const answer = await fetch(nodeOf(nodes, guess).url + joinPath, { method: 'POST', headers, body })
    expect(answer.status).toBe(404)
  }
  const guest = await openPageAt(other)
  const statuses: number[] = []
  guest.on('response', (response) => {
    if (new URL(response.url()).pathname === joinPath) statuses.push(response.status())
  })
  await enterPin(guest, pin)
  await expect(messageWith(guest, 'welcome')).toBeVisible({ timeout: proofOfWorkTimeoutMs })
  expect(statuses, 'a proof of work is required, and sufficient').toEqual([428, 200])

  // Skips the proofs of work of the guesses in between, over a second each.
  const { db, close } = await openDatabase({ databaseUrl, folder, onError: () => undefined })
  await db.updateTable('pin_hours').set({ failures: pinLimits.answeredFailures }).execute()
  await close()
  const [newcomer, guesser] = [await openPageAt(other), await openPageAt(one)]
  await enterPin(guesser, wrongPin)
  await enterPin(newcomer, pin)
  for (const visitor of [guesser, newcomer])
    await expect(waitingHeading(visitor)).toBeVisible({ timeout: proofOfWorkTimeoutMs })
  await expect(joinRequests(page)).toHaveCount(1)
  await joinRequests(page)
    .getByRole('button', { name: /^Admit/ })
    .click()
  await readPin(newcomer)
  await expect(waitingHeading(guesser)).toBeVisible()
  await sendSessionMessage(guest, 'nothing has changed here')
  await expect(messageWith(newcomer, 'nothing has changed here')).toBeVisible()
  await expect(messageWith(page, 'nothing has changed here')).toBeVisible()
})

test('SES-06 messages sent at both nodes have one order, which a new participant can scroll through to the first', async ({
  page,
  nodes,
  openPageAt,
}) => {
  const [one, other] = nodes
  const pin = await hostSession(page, one.url)
  const guest = await openPageAt(other)
  await joinAsGuest(guest, pin)
  const count = 14
  for (let index = 0; index < count; index += 1) {
    const sender = index % 2 === 0 ? page : guest
    await sendSessionMessage(sender, `message ${index}\n${'x'.repeat(chatLimits.textBytes - 100)}`)
    for (const reader of [page, guest]) {
      await expect(log(reader).getByRole('listitem').last()).toContainText(`message ${index}`)
    }
  }

  for (const node of nodes) {
    const reader = await openPageAt(node)
    await joinAsGuest(reader, pin)
    const cards = log(reader).getByRole('listitem')
    await expect(cards.last()).toContainText(`message ${count - 1}`)
    expect(await cards.count()).toBeLessThan(count)
    await expect(async () => {
      await reader.mouse.wheel(0, -4000)
      expect(await cards.count()).toBe(count)
    }).toPass()
    const texts = (await cards.locator('p').allTextContents()).flatMap((text) => /^message \d+/.exec(text) ?? [])
    expect(texts).toEqual(Array.from({ length: count }, (_, index) => `message ${index}`))
  }
})
