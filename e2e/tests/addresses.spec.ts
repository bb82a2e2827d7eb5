import type { Page } from '@playwright/test'
import { createAccount } from '../support/account.ts'
import { expect, test } from '../support/journey.ts'
import { expectFiles, fillSignIn, signIn } from '../support/people.ts'

test('T181 no page follows an address that stands in its own', async ({ page, server }) => {
  const account = await createAccount(server.url)
  const elsewhere: string[] = []
  await page.route(
    ({ hostname }) => hostname.endsWith('evil.test'),
    (route) => {
      elsewhere.push(route.request().url())
      return route.abort()
    },
  )
  const names = ['next', 'redirect', 'redirect_to', 'redirectTo', 'returnTo', 'return_to', 'url', 'continue']
  const queryOf = (wanted: string) =>
    [...names, 'success_url', 'cancel_url', 'plan', 'organization'].map((name) => [name, wanted])
  const wanted = [
    'https://evil.test/',
    '//evil.test/',
    '/\\evil.test/',
    'javascript:Reflect.set(window,"ran",1)',
    'http://localhost@evil.test/',
    '/\t/evil.test/',
  ]

  for (const address of wanted) {
    const query = new URLSearchParams(queryOf(address))
    for (const path of ['/upgrade', '/auth/confirm', '/set-password', '/settings']) {
      await page.goto(`${path}?${query}#${query}`)
      await expect(page.locator('main a, main button').first()).toBeVisible()
      expect(await foreignTargets(page), `${path}?${query}`).toEqual([])
    }
  }
  const query = new URLSearchParams(queryOf('//evil.test/'))
  await page.goto(`/?${query}`)
  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)

  expect(new URL(page.url()).origin).toBe(server.url)
  expect(await page.evaluate(() => Reflect.has(window, 'ran'))).toBe(false)
  expect(elsewhere).toEqual([])
})

test('T184 a PIN in the address that is none is taken out of it and does nothing', async ({ page, server }) => {
  const account = await createAccount(server.url)
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  const values = [
    'secret',
    '1234567',
    '012345',
    '12345',
    '１２３４５６',
    '123456 ',
    '1e5',
    '<script>window.ran=1</script>',
  ]

  for (const value of values) {
    await page.goto(`/?${new URLSearchParams({ join: value, tab: 'files' })}`)
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
    const { searchParams } = new URL(page.url())
    expect([searchParams.get('join'), searchParams.get('tab')]).toEqual([null, 'files'])
  }
  await page.goto('/?join=123456&join=234567')
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  await signIn(page, account)
  await page.goto('/?join=%3Cimg%20src%3Dx%20onerror%3Dwindow.ran%3D1%3E')
  await expectFiles(page)

  expect(await page.evaluate(() => Reflect.has(window, 'ran'))).toBe(false)
  const calls = sent.filter((one) => /\/(api|auth)\//.test(one))
  for (const value of values) {
    for (const call of calls) expect(call).not.toContain(encodeURIComponent(value))
  }
})

/** Links and forms of the page that lead to another site. */
const foreignTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('a[href], form[action], iframe[src], area[href]')]
      .map(
        (element) =>
          element.getAttribute('href') ?? element.getAttribute('action') ?? element.getAttribute('src') ?? '',
      )
      .filter((address) => new URL(address, location.href).origin !== location.origin),
  )
