import type { Locator, Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { expect, test } from '../../support/journey.ts'
import {
  createSession,
  endSession,
  hostSession,
  joinAsGuest,
  joinAsMember,
  joinButton,
  messageWith,
  pinField,
  readPin,
  sendSessionMessage,
} from '../../support/sessions.ts'

const pinSentence =
  'Protected by the PIN. People without it can’t read this session, but the operator of this server could.'
const privateSentence =
  'End-to-end encrypted: only people you invite or let in can read this session. The server can’t.'

/** What only a guest with the key of the session sees. */
const connectionClaims = (guest: Page): readonly Locator[] => [
  guest.getByRole('button', { name: 'Invite', exact: true }),
  guest.getByText('Session Connected', { exact: true }),
  guest.getByText('End-to-end encrypted', { exact: true }),
  guest.getByRole('button', { name: /here/ }),
]

test('SES-11 a session shows whom its encryption protects against', async ({ page, server }) => {
  await openFiles(page, await createAccount(server.url))
  await createSession(page)
  await expect(page.getByText(pinSentence)).toBeVisible()
  await endSession(page)
  await createSession(page, { isPrivate: true })
  await expect(page.getByText(privateSentence)).toBeVisible()
  await expect(page.getByText('End-to-end encrypted', { exact: true })).toBeVisible()
})

test('SES-11 a private session whose key mode the server changes is not entered, and the page says why', async ({
  page,
  server,
}) => {
  await openFiles(page, await createAccount(server.url))
  let keyMode = 'pin2'
  await page.route(/\/api\/sessions(\/[0-9a-f-]{36})?$/, async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    await route.fulfill({ response, json: { ...answer, session: { ...answer.session, key_mode: keyMode } } })
  })
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('checkbox', { name: /Private session/ }).check()
  await page.getByRole('button', { name: 'Create Session' }).click()
  await expect(page.getByRole('alert')).toContainText(
    "The server's answer doesn't match the protection of this session",
  )
  await expect(page.getByRole('tab', { name: 'Chat' })).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('activeSession'))).toBeNull()

  keyMode = 'secret'
  await page.getByRole('button', { name: 'Create Session' }).click()
  await expect(page.getByText(privateSentence)).toBeVisible()
  keyMode = 'pin'
  await page.reload()
  await expect(page.getByRole('alert')).toContainText("You weren't put back into your session")
  keyMode = 'secret'
  await page.reload()
  await expect(page.getByText(privateSentence)).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('SES-11 SES-12 a private session opens only by its link; the secret of the link is never sent', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url, { isPrivate: true })
  await sendSessionMessage(page, 'only for those with the link')
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByRole('img', { name: 'Scan to join' })).toBeVisible()
  const link = await page.getByRole('textbox', { name: 'Invite link' }).inputValue()
  expect(link).toMatch(new RegExp(`/\\?session=${pin}#s=[\\w-]{22}$`))
  const secret = link.split('#s=')[1] ?? ''

  const invitedGuest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  const requests: string[] = []
  invitedGuest.on('request', (request) =>
    requests.push(`${request.url()} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`),
  )
  await invitedGuest.goto(link)
  await expect(pinField(invitedGuest)).toHaveValue(pin)
  expect(invitedGuest.url()).not.toContain(pin)
  expect(invitedGuest.url()).not.toContain(secret)
  await joinButton(invitedGuest).click()
  await expect(messageWith(invitedGuest, 'only for those with the link')).toBeVisible()
  await invitedGuest.reload()
  await expect(messageWith(invitedGuest, 'only for those with the link')).toBeVisible()
  expect(requests.length).toBeGreaterThan(5)
  expect(requests.filter((text) => text.includes(secret))).toEqual([])

  const outsider = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(outsider, pin)
  await expect(outsider.getByText('You need the invite link, or someone in the session to let you in.')).toBeVisible()
  await expect(outsider.getByRole('tab', { name: 'Files' })).toHaveCount(0)
  await expect(outsider).toHaveTitle('A private session · Sallyport')
  for (const claim of connectionClaims(outsider)) await expect(claim).toHaveCount(0)
  await outsider.getByRole('textbox', { name: 'Invite link' }).fill(link.replace(`session=${pin}`, 'session=100000'))
  await outsider.getByRole('button', { name: 'Open' }).click()
  await expect(outsider.getByText('This link is for a different session.')).toBeVisible()
  await outsider.getByRole('textbox', { name: 'Invite link' }).fill(link)
  await outsider.getByRole('button', { name: 'Open' }).click()
  await expect(messageWith(outsider, 'only for those with the link')).toBeVisible()
  await expect(outsider).toHaveTitle('Session Connected · Sallyport')
  for (const claim of connectionClaims(outsider)) await expect(claim).toBeVisible()

  const truncatedLinkPage = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await truncatedLinkPage.goto(link.slice(0, -4))
  await expect(truncatedLinkPage.getByText('This link is incomplete.')).toBeVisible()
})

test('SES-03 the creator locks the session, admits newcomers one by one and removes participants', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('checkbox', { name: /Approve newcomers/ }).check()
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()

  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await guest.goto('/#joinSession')
  await pinField(guest).fill(pin)
  await joinButton(guest).click()
  await expect(guest.getByRole('heading', { name: 'Waiting to be let in' })).toBeVisible()
  const code = (await guest.getByText('Your code').locator('strong').textContent()) ?? ''
  expect(code).toMatch(/^\d{4}$/)
  const joinRequest = page.getByRole('alert').filter({ hasText: `Someone (code ${code}) is asking to join` })
  await joinRequest.getByRole('button', { name: 'Deny' }).click()
  await expect(guest.getByText('The creator of the session declined your request')).toBeVisible()

  await joinButton(guest).click()
  await expect(guest.getByRole('heading', { name: 'Waiting to be let in' })).toBeVisible()
  await page.getByRole('button', { name: /^Admit/ }).click()
  await readPin(guest)
  await expect(page.getByText('2 people here')).toBeVisible()

  await page.getByRole('button', { name: /here/ }).click()
  await page.getByRole('button', { name: 'Remove Anonymous' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(guest.getByText('You were removed from the session')).toBeVisible()
  await expect(guest.getByRole('tab', { name: 'Join Session' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('checkbox', { name: /Approve newcomers/ }).uncheck()
  await page.getByRole('checkbox', { name: /Lock the session/ }).check()
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  const member = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await openFiles(member, await createAccount(server.url))
  await member.getByRole('link', { name: 'Sessions' }).click()
  await pinField(member).fill(pin)
  await joinButton(member).click()
  await expect(member.getByText('Session not found')).toBeVisible()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('checkbox', { name: /Lock the session/ }).uncheck()
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await joinAsMember(member, pin)
})
