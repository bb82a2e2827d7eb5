import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { expect, test } from '../../support/journey.ts'
import {
  endSession,
  hostSession,
  joinAsGuest,
  joinButton,
  leaveButton,
  messageWith,
  openSessions,
  pinField,
  readPin,
  sendSessionMessage,
} from '../../support/sessions.ts'

const nameField = 'Your name (optional)'

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

test('SES-06 a creator enters a name, and one who rejoins keeps the last name or changes it', async ({
  page,
  server,
  anotherBrowser,
}) => {
  await openFiles(page, await createAccount(server.url))
  await openSessions(page)
  const createCard = page.getByRole('region', { name: 'Create Session' })
  await createCard.getByLabel(nameField).fill('Mara')
  await createCard.getByRole('button', { name: 'Create Session' }).click()
  const pin = await readPin(page)
  await expect(page.getByText('you: Mara')).toBeVisible()

  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await guest.goto('/')
  await guest.getByRole('tab', { name: 'Join Session' }).click()
  await guest.getByLabel(nameField).fill('Iro')
  await pinField(guest).fill(pin)
  await joinButton(guest).click()
  await expect(guest.getByText('you: Iro')).toBeVisible()

  await leaveButton(guest).click()
  await expect(guest.getByLabel(nameField)).toHaveValue('Iro')
  await guest.getByLabel(nameField).fill('Iro Vale')
  await pinField(guest).fill(pin)
  await joinButton(guest).click()
  await expect(guest.getByText('you: Iro Vale')).toBeVisible()
  await sendSessionMessage(guest, 'back again')
  await expect(messageWith(page, 'back again').getByText('Iro Vale')).toBeVisible()
  await endSession(page)
})
