import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { expect, test } from '../../support/journey.ts'
import {
  endSession,
  joinButton,
  leaveButton,
  messageWith,
  openSessions,
  pinField,
  readPin,
  sendSessionMessage,
} from '../../support/sessions.ts'

const nameField = 'Your name (optional)'

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
