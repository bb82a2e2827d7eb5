import { createAccount } from '../../support/account/account.ts'
import { expectFiles, signIn } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

test('T184 an invalid PIN in the URL is removed and ignored', async ({ page, server }) => {
  const account = await createAccount(server.url)
  const requests: string[] = []
  page.on('request', (request) => requests.push(`${request.url()} ${request.postData() ?? ''}`))
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
  const calls = requests.filter((one) => /\/(api|auth)\//.test(one))
  for (const value of values) {
    for (const call of calls) expect(call).not.toContain(encodeURIComponent(value))
  }
})
