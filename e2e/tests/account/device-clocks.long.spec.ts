import { createAccount } from '../../support/account/account.ts'
import { expectFiles, signIn, storedKeys } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

for (const [direction, offsetMs] of [
  ['behind', -day],
  ['ahead', day],
] as const) {
  test(`ACC-11 T066 with a clock 1 day ${direction}, a user stays signed in as long as the server allows`, async ({
    page,
    server,
  }) => {
    const account = await createAccount(server.url)
    await page.clock.install({ time: Date.now() + offsetMs })
    await signIn(page, account)

    await server.setClock(3 * hour - 5 * minute)
    await page.reload()
    await expectFiles(page)
    // Leaves the page, which would otherwise announce the end before it is reloaded.
    await page.goto('/favicon.svg')
    await server.setClock(3 * hour)
    await page.goto('/')

    await expect(page.getByRole('alertdialog')).toContainText('Your session has expired. Please log in again.')
    await page.getByRole('alertdialog').getByRole('button').click()
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
    expect(await storedKeys(page)).toEqual([])
  })
}
