import type { Page } from '@playwright/test'
import { chatLimits } from '@sallyport/contract/limits'
import { livePath } from '@sallyport/contract/live'
import { pinLimits } from '@sallyport/contract/server-limits'
import { openDatabase } from '../../apps/server/src/db/open.ts'
import {
  enterPin,
  hostSession,
  joinAsStranger,
  joinButton,
  log,
  pinField,
  readPin,
  removeParticipant,
  said,
  say,
  setOption,
  waitingHeading,
} from '../support/sessions.ts'
import { expect, nodeOf, test } from '../support/two-nodes.ts'

/** Work that takes a second in a browser of its own takes longer where many share two cores. */
const workMs = 60_000
const joinPath = '/api/sessions/join'
const wrongPinFor = (pin: string): string => (pin === '876543' ? '876544' : '876543')
const joinRequests = (page: Page) => page.getByRole('alert').filter({ hasText: 'wants to come in' })

/** Records what a page shows to be let in, and what its live socket receives. */
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

/** Enters a PIN in a page that shows the field already, and returns the status of the answer. */
async function tryPin(page: Page, pin: string): Promise<number> {
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === joinPath)
  await pinField(page).fill(pin)
  await joinButton(page).click()
  return (await answered).status()
}

test('SES-06 T193 people on two nodes chat in one session, and one removed on the other node loses the live socket at once', async ({
  page,
  nodes,
  visit,
}) => {
  const [one, other] = nodes
  const pin = await hostSession(page, one.url)
  const guest = await visit(other)
  const record = recordSession(guest)
  await joinAsStranger(guest, pin)
  await say(page, 'from the first node')
  await expect(said(guest, 'from the first node')).toBeVisible()
  await say(guest, 'from the second node')
  await expect(said(page, 'from the second node')).toBeVisible()

  await removeParticipant(page, 'Anonymous')

  await expect(guest.getByText('You were removed from the session')).toBeVisible({ timeout: 5000 })
  await say(page, 'after the removal')
  await expect(said(page, 'after the removal')).toBeVisible()
  expect(record.openSockets).toBe(0)
  expect(JSON.parse(record.events.at(-1) ?? '')).toEqual({ type: 'session.closed', reason: 'removed' })
  for (const { url } of nodes) {
    const headers = { 'x-participant-token': record.token }
    const read = await guest.request.get(`${url}${record.path}/messages`, { headers })
    const written = await guest.request.post(`${url}${record.path}/tickets`, { headers, data: { session_pin: pin } })
    expect([read.status(), written.status()]).toEqual([404, 404])
  }
  await enterPin(guest, pin)
  await expect(waitingHeading(guest)).toBeVisible()
  await joinRequests(page).getByRole('button', { name: 'Deny' }).click()
  await expect(guest.getByText('The creator of the session did not let you in')).toBeVisible()
})

test('SES-03 approval and a lock that are switched on at one node hold at the other', async ({
  page,
  nodes,
  visit,
}) => {
  const [one, other] = nodes
  const pin = await hostSession(page, one.url)
  await setOption(page, /Approve newcomers/, true)
  const stranger = await visit(other)
  await enterPin(stranger, pin)
  await expect(waitingHeading(stranger)).toBeVisible()
  const code = (await stranger.getByText('Your code').locator('strong').textContent()) ?? ''
  await joinRequests(page)
    .filter({ hasText: `the code ${code}` })
    .getByRole('button', { name: /^Admit/ })
    .click()
  await readPin(stranger)
  await expect(page.getByText('2 here')).toBeVisible()

  await setOption(page, /Approve newcomers/, false)
  await setOption(page, /Lock the session/, true)
  for (const node of nodes) {
    const late = await visit(node)
    await enterPin(late, pin)
    await expect(late.getByText('Session not found')).toBeVisible()
  }
  await say(stranger, 'still here')
  await expect(said(page, 'still here')).toBeVisible()
  await setOption(page, /Lock the session/, false)
  await joinAsStranger(await visit(other), pin)
})

test('T084 wrong PINs at one node count at the other: who mistypes three times gets in, and the eleventh guess is refused', async ({
  page,
  nodes,
  visit,
}) => {
  const [one, other] = nodes
  const pin = await hostSession(page, one.url)
  const wrong = wrongPinFor(pin)
  const open = async (node: typeof one, address: string): Promise<Page> => {
    const visitor = await visit(node, address)
    await visitor.goto('/#joinSession')
    return visitor
  }
  const honest = [await open(one, '203.0.113.1'), await open(other, '203.0.113.1')] as const
  for (const visitor of [honest[0], honest[0], honest[1]]) {
    expect(await tryPin(visitor, wrong)).toBe(404)
    await expect(visitor.getByText('Session not found')).toBeVisible()
  }
  expect(await tryPin(honest[1], pin)).toBe(200)
  await readPin(honest[1])

  const guesser = [await open(one, '203.0.113.2'), await open(other, '203.0.113.2')] as const
  for (let guess = 0; guess < pinLimits.sources.address.failures; guess += 1) {
    expect(await tryPin(guess % 2 === 0 ? guesser[0] : guesser[1], wrong)).toBe(404)
  }
  for (const visitor of guesser) {
    expect(await tryPin(visitor, pin)).toBe(429)
    await expect(visitor.getByText('Too many wrong PINs. Please wait before you try again.')).toBeVisible()
  }
  const neighbour = await open(one, '203.0.113.3')
  expect(await tryPin(neighbour, pin)).toBe(200)
})

test('T086 wrong PINs at both nodes use up one budget: strangers work, then wait for the creator, and members notice nothing', async ({
  page,
  nodes,
  visit,
  databaseUrl,
  folder,
}) => {
  test.setTimeout(180_000)
  const [one, other] = nodes
  const pin = await hostSession(page, one.url)
  await say(page, 'welcome')
  const wrong = wrongPinFor(pin)
  for (let guess = 0; guess < pinLimits.workFromFailures; guess += 1) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `192.0.${guess}.1` }
    const body = JSON.stringify({ session_pin: wrong })
    const answer = await fetch(nodeOf(nodes, guess).url + joinPath, { method: 'POST', headers, body })
    expect(answer.status).toBe(404)
  }
  const guest = await visit(other)
  const statuses: number[] = []
  guest.on('response', (response) => {
    if (new URL(response.url()).pathname === joinPath) statuses.push(response.status())
  })
  await enterPin(guest, pin)
  await expect(said(guest, 'welcome')).toBeVisible({ timeout: workMs })
  expect(statuses, 'work is asked for, and enough').toEqual([428, 200])

  // Saves the work of the guesses in between, a second and more each.
  const { db, close } = await openDatabase({ databaseUrl, folder, onError: () => undefined })
  await db.updateTable('pin_hours').set({ failures: pinLimits.answeredFailures }).execute()
  await close()
  const [newcomer, guesser] = [await visit(other), await visit(one)]
  await enterPin(guesser, wrong)
  await enterPin(newcomer, pin)
  for (const visitor of [guesser, newcomer]) await expect(waitingHeading(visitor)).toBeVisible({ timeout: workMs })
  await expect(joinRequests(page)).toHaveCount(1)
  await joinRequests(page)
    .getByRole('button', { name: /^Admit/ })
    .click()
  await readPin(newcomer)
  await expect(waitingHeading(guesser)).toBeVisible()
  await say(guest, 'nothing has changed here')
  await expect(said(newcomer, 'nothing has changed here')).toBeVisible()
  await expect(said(page, 'nothing has changed here')).toBeVisible()
})

test('SES-06 messages sent at both nodes are pages in one order, which a newcomer scrolls up to the first', async ({
  page,
  nodes,
  visit,
}) => {
  const [one, other] = nodes
  const pin = await hostSession(page, one.url)
  const guest = await visit(other)
  await joinAsStranger(guest, pin)
  const count = 14
  for (let index = 0; index < count; index += 1) {
    const sender = index % 2 === 0 ? page : guest
    await say(sender, `message ${index}\n${'x'.repeat(chatLimits.textBytes - 100)}`)
    for (const reader of [page, guest]) {
      await expect(log(reader).getByRole('listitem').first()).toContainText(`message ${index}`)
    }
  }

  for (const node of nodes) {
    const reader = await visit(node)
    await joinAsStranger(reader, pin)
    const cards = log(reader).getByRole('listitem')
    await expect(cards.first()).toContainText(`message ${count - 1}`)
    expect(await cards.count()).toBeLessThan(count)
    await expect(async () => {
      await reader.mouse.wheel(0, 4000)
      expect(await cards.count()).toBe(count)
    }).toPass()
    const texts = (await cards.locator('p').allTextContents()).flatMap((text) => /^message \d+/.exec(text) ?? [])
    expect(texts).toEqual(Array.from({ length: count }, (_, index) => `message ${count - 1 - index}`))
  }
})
