import type { Page } from '@playwright/test'
import { pinLimits } from '@sallyport/contract/server-limits'
import {
  enterPin,
  hostSession,
  joinAsStranger,
  joinButton,
  pinField,
  readPin,
  said,
  say,
  setOption,
  waitingHeading,
} from '../support/sessions.ts'
import { expect, test } from '../support/two-nodes.ts'

const joinPath = '/api/sessions/join'
const wrongPinFor = (pin: string): string => (pin === '876543' ? '876544' : '876543')
const joinRequests = (page: Page) => page.getByRole('alert').filter({ hasText: 'wants to come in' })

/** Enters a PIN in a page that shows the field already, and returns the status of the answer. */
async function tryPin(page: Page, pin: string): Promise<number> {
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === joinPath)
  await pinField(page).fill(pin)
  await joinButton(page).click()
  return (await answered).status()
}

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
