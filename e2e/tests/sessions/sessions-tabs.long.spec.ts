import { expect, test } from '../../support/journey.ts'
import { hostSession, messageWith, sendSessionMessage } from '../../support/sessions.ts'

test('SES-11 a second tab of an admitted guest reads a private session', async ({ page, server, anotherBrowser }) => {
  await hostSession(page, server.url, { isPrivate: true })
  await sendSessionMessage(page, 'for those with the key')
  await page.getByRole('button', { name: 'Invite' }).click()
  const link = await page.getByRole('textbox', { name: 'Invite link' }).inputValue()
  const guests = await anotherBrowser()
  const first = await guests.newPage()
  await first.goto(link)
  await first.getByRole('button', { name: 'Join Session' }).click()
  await expect(messageWith(first, 'for those with the key')).toBeVisible()

  const second = await guests.newPage()
  await second.goto(server.url)

  await expect(messageWith(second, 'for those with the key')).toBeVisible()
})
