import { expect, test } from '../../support/journey.ts'
import {
  enterPin,
  hostSession,
  joinAsGuest,
  leaveButton,
  messageWith,
  sendSessionMessage,
  setOption,
} from '../../support/sessions.ts'

test('SES-05 a second tab is the same participant, also where newcomers are approved, and throws nobody out', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const guests = await anotherBrowser({ baseURL: server.url })
  const first = await guests.newPage()
  await joinAsGuest(first, pin)
  await sendSessionMessage(first, 'from the first tab')
  await setOption(page, /Approve newcomers/, true)

  const second = await guests.newPage()
  await second.goto('/')

  await expect(messageWith(second, 'from the first tab').getByText('You', { exact: true })).toBeVisible()
  await expect(second.getByText('2 people here')).toBeVisible()
  await expect(page.getByText(/is asking to join/)).toHaveCount(0)
  await first.reload()
  await expect(messageWith(first, 'from the first tab').getByText('You', { exact: true })).toBeVisible()

  await leaveButton(second).click()
  await expect(first.getByRole('tab', { name: 'Join Session' })).toBeVisible()
  await expect(page.getByText('1 person here')).toBeVisible()
})

test('T092 a full session says so, and trying again does not lock the address', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const join = () =>
    fetch(`${server.url}/api/sessions/join`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ session_pin: pin }),
    })
  for (let count = 1; count < 50; count += 1) expect((await join()).status).toBe(200)

  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await enterPin(guest, pin)
  await expect(guest.getByText('This session is full. Try again when someone has left.')).toBeVisible()
  const statuses = []
  for (let count = 0; count < 12; count += 1) statuses.push((await join()).status)

  expect(new Set(statuses)).toEqual(new Set([409]))
  await expect(page.getByText('50 people here')).toBeVisible()
})
