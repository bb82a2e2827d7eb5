import { createAccount } from '../../support/account/account.ts'
import { openDevices } from '../../support/account/security.ts'
import { countRememberedDevices, signIn, signInRemembered, storedKeys } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

test('the data of a remembered device opens nothing after another device has ended its sign-in', async ({
  page,
  context,
  server,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  await signInRemembered(page, account)
  const rememberedCount = await countRememberedDevices(page)
  const otherDevice = await (await anotherBrowser()).newPage()
  await otherDevice.goto(server.url)
  await signIn(otherDevice, account)
  await openDevices(otherDevice)

  await otherDevice.getByRole('button', { name: 'Sign Out All Others' }).click()
  await otherDevice.getByRole('alertdialog').getByRole('button', { name: 'Sign Out All Others' }).click()

  await expect(page.getByText('Your session has expired. Please log in again.')).toBeVisible()
  expect(rememberedCount).toBe(1)
  await expect.poll(() => countRememberedDevices(page)).toBe(0)
  expect(await storedKeys(page)).toEqual([])
  await expect(otherDevice.getByText('You’re signed in on this device only.')).toBeVisible()
  const again = await context.newPage()
  await again.goto('/')
  await expect(again.getByRole('tab', { name: 'Sign In' })).toBeVisible()
})
