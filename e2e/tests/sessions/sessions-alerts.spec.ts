import { checkAccessibility } from '../../support/browser/check-accessibility.ts'
import { expect, test } from '../../support/journey.ts'
import {
  createSession,
  endSession,
  enterPin,
  hostSession,
  joinAsGuest,
  leaveButton,
  messageWith,
  sendSessionMessage,
  setOption,
  showFiles,
} from '../../support/sessions.ts'

test('SES-03 a creator on another screen is notified of messages, newcomers and join requests', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  const sessionsLink = page.getByRole('link', { name: /^Sessions/ })
  await page.getByRole('link', { name: 'Files', exact: true }).click()

  // Checked meanwhile, because toasts disappear after 5 seconds.
  await Promise.all([expect(page.getByText('Someone joined the session')).toBeVisible(), joinAsGuest(guest, pin)])
  await sendSessionMessage(guest, 'one')
  await sendSessionMessage(guest, 'two')
  await expect(sessionsLink).toHaveAccessibleName('Sessions , 2 new messages')
  expect(await checkAccessibility(page)).toEqual([])

  await sessionsLink.click()
  await expect(messageWith(page, 'two')).toBeVisible()
  await expect(sessionsLink).toHaveAccessibleName('Sessions')
  await showFiles(page)
  await sendSessionMessage(guest, 'three')
  await expect(page.getByRole('tab', { name: /^Chat/ })).toHaveAccessibleName('Chat , 1 new message')

  await setOption(page, /Approve newcomers/, true)
  await page.getByRole('link', { name: 'Portal' }).click()
  const newcomer = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await enterPin(newcomer, pin)
  await expect(page.getByText(/^Someone \(code \d{4}\) is asking to join$/).first()).toBeVisible()
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByRole('button', { name: /^Admit/ }).click()
  await expect(newcomer.getByText('Session Connected')).toBeVisible()
})

test('SES-10 a hidden tab shows a new message in its title until it is visible again', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(guest, pin)
  await expect(page.getByText('2 people here')).toBeVisible()
  const setHidden = (hidden: boolean) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: isHidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)

  await setHidden(true)
  await sendSessionMessage(guest, 'while you were away')
  await expect(page).toHaveTitle('1 new message · Sallyport')
  await setHidden(false)

  await expect(page).toHaveTitle('Sessions · Sallyport')
  await expect(messageWith(page, 'while you were away')).toBeVisible()
})

test('SES-04 a creator who leaves is asked first, and a guest whose tab is closed is away within 10 seconds', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const [staying, leaving] = [
    await (await anotherBrowser({ baseURL: server.url })).newPage(),
    await (await anotherBrowser({ baseURL: server.url })).newPage(),
  ]
  for (const guest of [staying, leaving]) await joinAsGuest(guest, pin)
  await expect(page.getByText('3 people here')).toBeVisible()

  await leaving.close()
  for (const one of [page, staying]) await expect(one.getByText('2 people here')).toBeVisible()

  await leaveButton(page).click()
  const question = page.getByRole('alertdialog', { name: 'End session for everyone?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await expect(staying.getByText('Session Connected')).toBeVisible()
  await endSession(page)
  await expect(page.getByText('Session ended for everyone')).toBeVisible()
  await expect(staying.getByText('The session was closed')).toBeVisible()
  expect(await createSession(page)).toMatch(/^\d{6}$/)
})
