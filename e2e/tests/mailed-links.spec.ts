import type { Page } from '@playwright/test'
import { newEmail, newPassword } from '../support/account.ts'
import { expect, test } from '../support/mail-journey.ts'
import { linkIn, parametersOf } from '../support/mail-server.ts'
import { register } from '../support/people.ts'
import { askForLink } from '../support/recovery.ts'

test('T171 what a mailed link carries reaches no server before it is used, and leaves the address first', async ({
  page,
  mail,
}) => {
  const asked = await watchAddresses(page)
  const email = newEmail()
  await register(page, { email, password: newPassword() })
  const confirming = linkIn(await mail.letterTo(email), '/auth/confirm')
  await page.goto(confirming)
  await expect(page.getByRole('heading', { name: 'Email verified' })).toBeVisible()
  const recovering = await askForLink(page, email, mail)
  await page.goto(recovering)
  await expect(page.getByRole('heading', { name: 'Set your password' })).toBeVisible()

  const tokens = [confirming, recovering].flatMap((link) => {
    const parameters = parametersOf(link)
    return ['token', 'token_hash', 'email'].flatMap((name) => parameters.get(name) ?? [])
  })
  expect(tokens).toHaveLength(3)
  // What is behind the # stays in the browser: no access log on the way can contain it.
  for (const link of [confirming, recovering]) expect(new URL(link, page.url()).search).toBe('')
  const seen = asked.filter(({ path }) => /^\/(auth\/confirm|set-password)/.test(path))
  expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/auth/confirm', '/set-password']))
  for (const { path, address, referrer } of asked) {
    for (const token of tokens) expect(`${path} ${address} ${referrer}`).not.toContain(encodeURIComponent(token))
  }
  expect(page.url()).toBe(new URL('/set-password', page.url()).href)
})

/** Where the page is, each time it asks something of the server. */
async function watchAddresses(page: Page) {
  const asked: { path: string; address: string; referrer: string | undefined }[] = []
  await page.exposeFunction('tellAddress', (address: string) => {
    asked.push({ path: new URL(address).pathname, address, referrer: undefined })
  })
  await page.addInitScript(() => {
    const ask = window.fetch
    window.fetch = (...given) => {
      const tell = Reflect.get(window, 'tellAddress') as (address: string) => void
      tell(location.href)
      return ask(...given)
    }
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const { referer } = request.headers()
    if (!request.isNavigationRequest()) asked.push({ path: pathname, address: '', referrer: referer })
  })
  return asked
}
