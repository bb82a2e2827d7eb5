import type { Page } from '@playwright/test'
import { expect, test } from '../../support/journey.ts'
import {
  hostSession,
  joinAsGuest,
  joinButton,
  messageWith,
  pinField,
  readPin,
  sendSessionMessage,
} from '../../support/sessions.ts'

/** Records the key ids of sent messages, which are bytes 40 to 55 of the wrapped key. */
function recordKeyIds(page: Page): readonly string[] {
  const ids: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !/\/messages$/.test(request.url())) return
    const { encrypted_key: wrapped } = request.postDataJSON()
    ids.push(Buffer.from(wrapped, 'base64url').subarray(40, 56).toString('hex'))
  })
  return ids
}

test('SES-03 SES-11 after a removal the session continues under a new key, and all messages stay readable', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const keyIds = recordKeyIds(page)
  const member = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(member, pin)
  await sendSessionMessage(page, 'before the removal')
  const removed = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(removed, pin)
  await expect(messageWith(removed, 'before the removal')).toBeVisible()

  await page.getByRole('button', { name: /here/ }).click()
  await page.getByRole('button', { name: 'Remove Anonymous' }).last().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(removed.getByText('You were removed from the session')).toBeVisible()
  await page.keyboard.press('Escape')
  await sendSessionMessage(page, 'after the removal')
  await expect(messageWith(member, 'after the removal')).toBeVisible()
  await sendSessionMessage(member, 'still here')
  await expect(messageWith(page, 'still here')).toBeVisible()

  expect(new Set(keyIds).size, 'key ids of the creator’s two messages').toBe(2)
  await page.reload()
  for (const text of ['before the removal', 'after the removal', 'still here']) {
    await expect(messageWith(page, text)).toBeVisible()
  }

  await removed.goto('/#joinSession')
  await pinField(removed).fill(pin)
  await joinButton(removed).click()
  await expect(removed.getByRole('heading', { name: 'Waiting to be let in' })).toBeVisible()
  await page.getByRole('button', { name: /^Admit/ }).click()
  await readPin(removed)
  await expect(messageWith(removed, 'before the removal')).toBeVisible()
  await expect(messageWith(removed, 'after the removal')).toBeVisible()
})
