import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { expectFiles, fillSignIn } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

test('T181 no page follows a URL from its own query or fragment', async ({ page, server }) => {
  const account = await createAccount(server.url)
  const foreignRequests: string[] = []
  await page.route(
    ({ hostname }) => hostname.endsWith('evil.test'),
    (route) => {
      foreignRequests.push(route.request().url())
      return route.abort()
    },
  )
  const names = ['next', 'redirect', 'redirect_to', 'redirectTo', 'returnTo', 'return_to', 'url', 'continue']
  const queryWith = (target: string) =>
    [...names, 'success_url', 'cancel_url', 'plan', 'organization'].map((name) => [name, target])
  const targets = [
    'https://evil.test/',
    '//evil.test/',
    '/\\evil.test/',
    'javascript:Reflect.set(window,"ran",1)',
    'http://localhost@evil.test/',
    '/\t/evil.test/',
  ]

  for (const address of targets) {
    const query = new URLSearchParams(queryWith(address))
    for (const path of ['/upgrade', '/auth/confirm', '/set-password', '/settings']) {
      await page.goto(`${path}?${query}#${query}`)
      await expect(page.locator('main a, main button').first()).toBeVisible()
      expect(await findForeignTargets(page), `${path}?${query}`).toEqual([])
    }
  }
  const query = new URLSearchParams(queryWith('//evil.test/'))
  await page.goto(`/?${query}`)
  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)

  expect(new URL(page.url()).origin).toBe(server.url)
  expect(await page.evaluate(() => Reflect.has(window, 'ran'))).toBe(false)
  expect(foreignRequests).toEqual([])
})

/** Links and forms of the page that lead to another site. */
const findForeignTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('a[href], form[action], iframe[src], area[href]')]
      .map(
        (element) =>
          element.getAttribute('href') ?? element.getAttribute('action') ?? element.getAttribute('src') ?? '',
      )
      .filter((address) => new URL(address, location.href).origin !== location.origin),
  )
