import { request } from 'node:http'
import type { Page } from '@playwright/test'
import { accounts } from '@sallyport/contract/accounts'
import { deriveLoginSecrets, fromBase64url } from '@sallyport/crypto'
import { type Account, createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { openSettings } from '../../support/account/security.ts'
import { fileRow } from '../../support/account/users.ts'
import { hostileTexts } from '../../support/hostile-texts.ts'
import { expect, test } from '../../support/journey.ts'
import { insertMessages, openChat, shownTexts } from '../../support/messages.ts'

test('T173 30 markup and script payloads stay text as names, messages, labels, devices and server errors', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const requestedUrls: string[] = []
  page.on('request', (one) => requestedUrls.push(one.url()))
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    return dialog.dismiss()
  })
  // A slash in a name separates folders; these are file names.
  const names = hostileTexts.map((text, index) => `${text.replaceAll('/', '∕')} ${index}.txt`)
  for (const name of names) await account.upload(new File(['x'], name), 60)
  await insertMessages(server, account, hostileTexts)
  const userAgents = hostileTexts.filter((text) => /^[\x20-\x7e]+$/.test(text)).slice(0, 5)
  for (const userAgent of userAgents) await signInWithUserAgent(server.url, account, userAgent)

  await openFiles(page, account)
  for (const name of names) await expect(fileRow(page, name)).toHaveCount(1)
  await expectHarmless(page)
  await fileRow(page, names[1] ?? '')
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectHarmless(page)
  await page.keyboard.press('Escape')
  await fileRow(page, names[1] ?? '')
    .getByRole('button', { name: 'Share by link' })
    .click()
  const label = page.getByRole('textbox', { name: 'Private label' })
  await label.fill(hostileTexts[1])
  await label.press('Enter')
  await expectHarmless(page)
  await page.getByRole('button', { name: 'Done' }).click()

  await openChat(page)
  await expect.poll(async () => (await shownTexts(page)).length).toBe(hostileTexts.length)
  expect(new Set(await shownTexts(page))).toEqual(new Set(hostileTexts))
  await expectHarmless(page)

  await openSettings(page)
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: /device|browser/i })
      .first(),
  ).toBeVisible()
  await expectHarmless(page)

  for (const organization of hostileTexts) {
    await page.goto(`/upgrade?${new URLSearchParams({ plan: 'business', organization })}`)
    await expect(page.locator('bdi')).toHaveText(organization)
    await expectHarmless(page)
  }

  for (const error of hostileTexts.slice(0, 6)) {
    await page.unrouteAll()
    const json = { success: false, code: 'FORBIDDEN', error }
    await page.route('**/api/files', (route) => route.fulfill({ status: 403, json }))
    await page.goto('/?tab=files')
    await expect(page.getByRole('alert').first()).toBeVisible()
    await expectHarmless(page)
  }

  expect(dialogs).toEqual([])
  expect(requestedUrls.filter((url) => new URL(url).hostname === 'evil.test')).toEqual([])
})

/** Expects that no script has run and no payload has become an element. */
async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: Reflect.has(window, 'ran'),
    made: document.querySelectorAll(
      '[onerror], [onload], [onfocus], [onmouseover], [ontoggle], [onbegin], iframe, object, embed, base, math, animate, script:not([src]), [src="x"], [href^="javascript:"], [action^="javascript:"], meta[http-equiv], [href*="evil.test"]',
    ).length,
  }))
  expect(found).toEqual({ ran: false, made: 0 })
}

/** Signs in with this `User-Agent`. */
async function signInWithUserAgent(
  url: string,
  { email, password, connection }: Account,
  userAgent: string,
): Promise<void> {
  const preloginResponse = await fetch(`${connection.baseUrl}${accounts.prelogin.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  const { salt } = (await preloginResponse.json()) as { salt: string }
  const { credential } = await deriveLoginSecrets({ password, salt: fromBase64url(salt), profile: 2 })
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent }
  const status = await new Promise((resolve, reject) => {
    request(url + accounts.login.path, { method: 'POST', headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end(JSON.stringify({ email, password: credential }))
  })
  expect(status).toBe(200)
}
