import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { hostSession, joinAsStranger, joinButton, pinField, readPin, said, say } from '../support/sessions.ts'

/** The key ids of the messages that a page sends, which stand at bytes 40 to 55 of the wrapped key. */
function watchKeyIds(page: Page): readonly string[] {
  const ids: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !/\/messages$/.test(request.url())) return
    const { encrypted_key: wrapped } = request.postDataJSON()
    ids.push(Buffer.from(wrapped, 'base64url').subarray(40, 56).toString('hex'))
  })
  return ids
}

test('SES-03 SES-11 after a removal the session goes on under a new key, and everything in it stays readable', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const keyIds = watchKeyIds(page)
  const member = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsStranger(member, pin)
  await say(page, 'before the removal')
  const removed = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsStranger(removed, pin)
  await expect(said(removed, 'before the removal')).toBeVisible()

  await page.getByRole('button', { name: /here/ }).click()
  await page.getByRole('button', { name: 'Remove Anonymous' }).last().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(removed.getByText('You were removed from the session')).toBeVisible()
  await page.keyboard.press('Escape')
  await say(page, 'after the removal')
  await expect(said(member, 'after the removal')).toBeVisible()
  await say(member, 'still here')
  await expect(said(page, 'still here')).toBeVisible()

  expect(new Set(keyIds).size, 'key ids of the creator’s two messages').toBe(2)
  await page.reload()
  for (const text of ['before the removal', 'after the removal', 'still here']) {
    await expect(said(page, text)).toBeVisible()
  }

  await removed.goto('/#joinSession')
  await pinField(removed).fill(pin)
  await joinButton(removed).click()
  await expect(removed.getByRole('heading', { name: 'Waiting to be let in' })).toBeVisible()
  await page.getByRole('button', { name: /^Admit/ }).click()
  await readPin(removed)
  await expect(said(removed, 'before the removal')).toBeVisible()
  await expect(said(removed, 'after the removal')).toBeVisible()
})
