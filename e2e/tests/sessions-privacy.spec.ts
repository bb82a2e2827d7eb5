import { createAccount } from '../support/account.ts'
import { expect, test } from '../support/journey.ts'
import { signIn } from '../support/people.ts'
import {
  createSession,
  hostSession,
  joinAsMember,
  joinAsStranger,
  joinButton,
  pinField,
  readPin,
  said,
  say,
} from '../support/sessions.ts'
import { expectToast } from '../support/toasts.ts'

const pinSentence =
  'Protected by the PIN: strangers cannot read this session, but it does not protect against this server.'
const privateSentence = 'End-to-end encrypted: only people with the invite link can read this session, not this server.'

test('SES-11 a session says what it protects from whom', async ({ page, server }) => {
  await signIn(page, await createAccount(server.url))
  await createSession(page)
  await expect(page.getByText(pinSentence)).toBeVisible()
  await page.getByRole('button', { name: 'Leave Session' }).click()
  await createSession(page, { isPrivate: true })
  await expect(page.getByText(privateSentence)).toBeVisible()
  await expect(page.getByText('End-to-end encrypted', { exact: true })).toBeVisible()
})

test('SES-11 a private session that the server calls another one is not entered, and the page says why', async ({
  page,
  server,
}) => {
  await signIn(page, await createAccount(server.url))
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

test('SES-11 SES-12 a private session is opened by its link only; the secret of the link is never sent', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url, { isPrivate: true })
  await say(page, 'only for those with the link')
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByRole('img', { name: 'Scan to join' })).toBeVisible()
  const link = await page.getByRole('textbox', { name: 'Invite link' }).inputValue()
  expect(link).toMatch(new RegExp(`/\\?session=${pin}#s=[\\w-]{22}$`))
  const secret = link.split('#s=')[1] ?? ''

  const invited = await (await anotherBrowser({ baseURL: server.url })).newPage()
  const sent: string[] = []
  invited.on('request', (request) =>
    sent.push(`${request.url()} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`),
  )
  await invited.goto(link)
  await expect(pinField(invited)).toHaveValue(pin)
  expect(invited.url()).not.toContain(pin)
  expect(invited.url()).not.toContain(secret)
  await joinButton(invited).click()
  await expect(said(invited, 'only for those with the link')).toBeVisible()
  await invited.reload()
  await expect(said(invited, 'only for those with the link')).toBeVisible()
  expect(sent.length).toBeGreaterThan(5)
  expect(sent.filter((text) => text.includes(secret))).toEqual([])

  const outsider = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsStranger(outsider, pin)
  await expect(
    outsider.getByText('Messages are locked. Ask for the invite link, or wait until a member is online.'),
  ).toBeVisible()
  await expect(outsider.getByRole('tab', { name: 'Files' })).toHaveCount(0)
  await outsider.getByRole('textbox', { name: 'Invite link' }).fill(link.replace(`session=${pin}`, 'session=100000'))
  await outsider.getByRole('button', { name: 'Open' }).click()
  await expect(outsider.getByText('This link does not belong to this session.')).toBeVisible()
  await outsider.getByRole('textbox', { name: 'Invite link' }).fill(link)
  await outsider.getByRole('button', { name: 'Open' }).click()
  await expect(said(outsider, 'only for those with the link')).toBeVisible()

  const cut = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await cut.goto(link.slice(0, -4))
  await expect(cut.getByText('This link is incomplete.')).toBeVisible()
})

test('SES-03 the creator locks the session, lets newcomers in one by one, and removes people', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('checkbox', { name: /Approve newcomers/ }).check()
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()

  const stranger = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await stranger.goto('/#joinSession')
  await pinField(stranger).fill(pin)
  await joinButton(stranger).click()
  await expect(stranger.getByRole('heading', { name: 'Waiting to be let in' })).toBeVisible()
  const code = (await stranger.getByText('Your code').locator('strong').textContent()) ?? ''
  expect(code).toMatch(/^\d{4}$/)
  const knock = page.getByRole('alert').filter({ hasText: `Somebody with the code ${code} wants to come in` })
  await knock.getByRole('button', { name: 'Deny' }).click()
  await expect(stranger.getByText('The creator of the session did not let you in')).toBeVisible()

  await joinButton(stranger).click()
  await expect(stranger.getByRole('heading', { name: 'Waiting to be let in' })).toBeVisible()
  await page.getByRole('button', { name: /^Admit/ }).click()
  await readPin(stranger)
  await expect(page.getByText('2 here')).toBeVisible()

  await page.getByRole('button', { name: /here/ }).click()
  await page.getByRole('button', { name: 'Remove Anonymous' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(stranger.getByText('You were removed from the session')).toBeVisible()
  await expect(stranger.getByRole('tab', { name: 'Join Session' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('checkbox', { name: /Approve newcomers/ }).uncheck()
  await page.getByRole('checkbox', { name: /Lock the session/ }).check()
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  const member = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await signIn(member, await createAccount(server.url))
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

test('SES-11 a member lets somebody into a private session by a code that is told, and a wrong code opens nothing', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url, { isPrivate: true })
  await say(page, 'for members only')
  const stranger = await (await anotherBrowser({ baseURL: server.url })).newPage()
  const sent: string[] = []
  stranger.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await joinAsStranger(stranger, pin)

  async function admit(): Promise<string> {
    await stranger.getByRole('button', { name: 'Ask a member' }).click()
    const asks = page.getByRole('alert').filter({ hasText: 'Anonymous has the PIN and asks for the key' })
    await asks.getByRole('button', { name: 'Admit' }).click()
    const told = page.getByRole('alert').filter({ hasText: 'Tell them this code by voice.' })
    return ((await told.textContent()) ?? '').replace(/\D/g, '')
  }

  const first = await admit()
  expect(first).toMatch(/^\d{6}$/)
  await stranger.getByRole('textbox', { name: 'Code' }).fill(first === '000000' ? '000001' : '000000')
  await stranger.getByRole('button', { name: 'Open' }).last().click()
  await expect(stranger.getByText('Wrong code')).toBeVisible()
  await expectToast(page, 'Wrong code')

  const second = await admit()
  await stranger.getByRole('textbox', { name: 'Code' }).fill(second)
  await stranger.getByRole('button', { name: 'Open' }).last().click()
  await expect(said(stranger, 'for members only')).toBeVisible()
  expect(sent.filter((text) => text.includes(second))).toEqual([])
  await stranger.reload()
  await expect(said(stranger, 'for members only')).toBeVisible()
})
