import { expectToast } from '../../support/browser/toasts.ts'
import { expect, test } from '../../support/journey.ts'
import { hostSession, joinAsGuest, messageWith, sendSessionMessage } from '../../support/sessions.ts'

test('SES-11 a member admits a newcomer to a private session with a spoken code, and a wrong code opens nothing', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url, { isPrivate: true })
  await sendSessionMessage(page, 'for members only')
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  const requests: string[] = []
  guest.on('request', (request) => requests.push(`${request.url()} ${request.postData() ?? ''}`))
  await joinAsGuest(guest, pin)

  async function admitGuest(): Promise<string> {
    await guest.getByRole('button', { name: 'Ask to be let in' }).click()
    const keyRequest = page.getByRole('alert').filter({ hasText: 'Anonymous 2 has the PIN and wants to join' })
    await keyRequest.getByRole('button', { name: 'Admit' }).click()
    const codeAlert = page.getByRole('alert').filter({ hasText: 'Read this code to them, in person or by phone.' })
    await expect(codeAlert.getByRole('timer')).toHaveText(/^[12]:\d\d$/)
    return (await codeAlert.locator('.pin-plates').textContent()) ?? ''
  }

  await guest.getByRole('button', { name: 'Ask to be let in' }).click()
  await page.getByRole('button', { name: 'Deny Anonymous 2' }).click()
  await expect(guest.getByText('Your request was declined')).toBeVisible()
  await admitGuest()
  await page.getByRole('alert').getByRole('button', { name: 'Cancel' }).click()
  await expect(guest.getByText('Your request was declined')).toBeVisible()

  const first = await admitGuest()
  expect(first).toMatch(/^\d{6}$/)
  await guest.getByRole('textbox', { name: 'Code' }).fill(first === '000000' ? '000001' : '000000')
  await guest.getByRole('button', { name: 'Open' }).last().click()
  await expect(guest.getByText('Wrong code')).toBeVisible()
  await expectToast(page, 'Wrong code')

  const second = await admitGuest()
  await guest.getByRole('textbox', { name: 'Code' }).fill(second)
  await guest.getByRole('button', { name: 'Open' }).last().click()
  await expect(messageWith(guest, 'for members only')).toBeVisible()
  expect(requests.filter((text) => text.includes(second))).toEqual([])
  await guest.reload()
  await expect(messageWith(guest, 'for members only')).toBeVisible()
})
