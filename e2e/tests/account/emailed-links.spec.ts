import type { Page } from '@playwright/test'
import { newEmail, newPassword } from '../../support/account/account.ts'
import { followConfirmationLink } from '../../support/account/confirmation.ts'
import { expect, test } from '../../support/account/mail-journey.ts'
import { fragmentParametersOf, linkInEmail } from '../../support/account/mail-server.ts'
import { followRecoveryLink, requestRecoveryLink } from '../../support/account/recovery.ts'
import { register } from '../../support/account/users.ts'

test('T171 the token of an emailed link leaves the URL first and is in no request’s URL', async ({ page, mail }) => {
  const requests = await recordAddresses(page)
  const email = newEmail()
  await register(page, { email, password: newPassword() })
  const confirmationLink = linkInEmail(await mail.nextEmailTo(email), '/auth/confirm')
  await followConfirmationLink(page, confirmationLink)
  await expect(page.getByRole('heading', { name: 'Email verified' })).toBeVisible()
  const recoveryLink = await requestRecoveryLink(page, email, mail)
  await followRecoveryLink(page, recoveryLink)
  await expect(page.getByRole('heading', { name: 'Set your password' })).toBeVisible()

  const tokens = [confirmationLink, recoveryLink].flatMap((link) => {
    const parameters = fragmentParametersOf(link)
    return ['token', 'token_hash', 'email'].flatMap((name) => parameters.get(name) ?? [])
  })
  expect(tokens).toHaveLength(3)
  // The fragment stays in the browser: no access log can contain it.
  for (const link of [confirmationLink, recoveryLink]) expect(new URL(link, page.url()).search).toBe('')
  const pageRequests = requests.filter(({ path }) => /^\/(auth\/confirm|set-password)/.test(path))
  expect(new Set(pageRequests.map(({ path }) => path))).toEqual(new Set(['/auth/confirm', '/set-password']))
  for (const { path, address, referrer } of requests) {
    for (const token of tokens) expect(`${path} ${address} ${referrer}`).not.toContain(encodeURIComponent(token))
  }
  expect(page.url()).toBe(new URL('/set-password', page.url()).href)
})

/** Records the URL of the page for each request. */
async function recordAddresses(page: Page) {
  const requests: { path: string; address: string; referrer: string | undefined }[] = []
  await page.exposeFunction('tellAddress', (address: string) => {
    requests.push({ path: new URL(address).pathname, address, referrer: undefined })
  })
  await page.addInitScript(() => {
    const originalFetch = window.fetch
    window.fetch = (...args) => {
      const report = Reflect.get(window, 'tellAddress') as (address: string) => void
      report(location.href)
      return originalFetch(...args)
    }
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const { referer } = request.headers()
    if (!request.isNavigationRequest()) requests.push({ path: pathname, address: '', referrer: referer })
  })
  return requests
}
