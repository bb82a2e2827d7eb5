import { expect, test } from '../../support/journey.ts'
import { hostSession, joinAsGuest, messageWith, sendSessionMessage } from '../../support/sessions.ts'

test('SES-06 participants without a name have different numbers in the list and on their messages', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const guests = []
  for (const number of [2, 3]) {
    const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
    await joinAsGuest(guest, pin)
    await expect(guest.getByText(`you: Anonymous ${number}`)).toBeVisible()
    await sendSessionMessage(guest, `from guest ${number}`)
    guests.push(guest)
  }

  for (const reader of [page, ...guests]) {
    for (const number of [2, 3])
      await expect(messageWith(reader, `from guest ${number}`).getByText(`Anonymous ${number}`)).toBeVisible()
  }
  await page.getByRole('button', { name: /here/ }).click()
  const people = page.getByRole('dialog').getByRole('listitem')
  await expect(people).toHaveCount(3)
  for (const number of [1, 2, 3]) await expect(people.filter({ hasText: `Anonymous ${number}` })).toHaveCount(1)
})
