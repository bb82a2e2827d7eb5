import { expect, test } from '../../support/journey.ts'
import { hostSession, joinAsGuest, setOption, waitingHeading } from '../../support/sessions.ts'

test('SES-05 a guest who comes back where newcomers are approved waits with a code, and keeps the session', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const guests = await anotherBrowser({ baseURL: server.url })
  const first = await guests.newPage()
  await joinAsGuest(first, pin)
  await setOption(page, /Approve newcomers/, true)
  await first.close()

  const later = await guests.newPage()
  await later.goto('/')
  await expect(waitingHeading(later)).toBeVisible()
  const code = await later.getByText(/^\d{4}$/).textContent()
  await page.getByRole('button', { name: `Admit ${code}` }).click()

  await expect(later.getByText('Session Connected')).toBeVisible()
})
