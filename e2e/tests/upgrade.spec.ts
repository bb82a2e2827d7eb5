import { createAccount } from '../support/account.ts'
import { dropFiles } from '../support/drop-files.ts'
import { expect, test } from '../support/journey.ts'
import { dropZone, enterPassword, expectFiles, fileRow, signIn } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'
import { startServer } from '../support/server.ts'

const hour = 3_600_000
const day = 24 * hour

test('ACC-05 T045 once the trial is over, plans are laid before whoever signs in; nothing closes them, and no file call is made', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await server.setClock(8 * day)
  await enterPassword(page, account)

  const dialog = page.getByRole('dialog', { name: 'Trial Expired - Upgrade Required' })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('radio', { name: /Personal.*\$10/ })).toBeChecked()
  await expect(dialog.getByText('Recommended')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Upgrade Now' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: /Cancel|Close/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 400)
  await expect(dialog).toBeVisible()

  await page.reload()
  await expect(dialog).toBeVisible()
  expect(asked.filter((path) => /^\/api\/(files|upload|download|account\/keys)/.test(path))).toEqual([])

  await dialog.getByRole('radio', { name: /Business/ }).check()
  await dialog.getByRole('button', { name: 'Upgrade Now' }).click()
  const details = page.getByRole('dialog', { name: 'Organization Details' })
  const checkOut = details.getByRole('button', { name: 'Continue to Checkout' })
  await expect(checkOut).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Upgrade Now' }).click()
  await details.getByRole('textbox', { name: 'Organization Name *' }).fill('   ')
  await page.keyboard.press('Enter')
  await expect(details.getByText('Please enter an organization name')).toBeVisible()
  await details.getByRole('textbox', { name: 'Organization Name *' }).fill('Harbour Light')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'The Business plan' })).toBeVisible()
  await expect(page.getByText('Harbour Light')).toBeVisible()

  await page.getByRole('link', { name: 'Back to Sallyport' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
})

test('ACC-04 long after its end a trial is refused with the plans, which can be closed', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await server.setClock(40 * day)
  await enterPassword(page, account)

  const dialog = page.getByRole('dialog', { name: 'Trial Expired - Upgrade Required' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('alert')).toContainText('trial has expired')
  expect(await page.evaluate(() => localStorage.getItem('sallyport-auth'))).toBeNull()
})

test('ACC-05 a licence that ends while somebody is in brings the plans, and one that is good again lets them on', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await server.setClock(7 * day - hour / 2)
  await signIn(page, account)

  await server.setClock(7 * day + hour / 2)
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Save Settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Trial Expired - Upgrade Required' })
  await expect(dialog).toBeVisible()

  await server.setClock(7 * day - hour / 2)
  await page.goto('/')
  await expectFiles(page)
  await expect(dialog).toBeHidden()
})

test('ACC-05 an upload and a download that meet the end of the licence bring the plans as any other call does', async ({
  page,
  server,
  folder,
}) => {
  const account = await createAccount(server.url)
  const [kept, late] = await Promise.all(
    ['kept.bin', 'late.bin'].map((name) => makeRandomFile({ folder, name, bytes: 10_000 })),
  )
  const dialog = page.getByRole('dialog', { name: 'Trial Expired - Upgrade Required' })
  /** Nothing but the transfer itself hears of the end. */
  async function endLicence() {
    await page.route(/\/api\/(files$|messages|account)/, (route) => route.abort())
    await server.setClock(7 * day + hour / 2)
  }
  await server.setClock(7 * day - hour / 2)
  await signIn(page, account)
  await dropFiles(page, dropZone(page), [kept?.path ?? ''])
  await expect(fileRow(page, 'kept.bin')).toBeVisible()

  await endLicence()
  await fileRow(page, 'kept.bin').getByRole('button', { name: 'Download' }).click()
  await expect(dialog).toBeVisible()

  await page.unrouteAll()
  await server.setClock(7 * day - hour / 2)
  await page.goto('/')
  await expectFiles(page)
  await endLicence()
  await dropFiles(page, dropZone(page), [late?.path ?? ''])
  await expect(dialog).toBeVisible()
})

test('PLN-02 the page of a plan says how to reach whoever runs the server, where that is known', async ({ page }) => {
  await page.goto('/upgrade?plan=personal')
  await expect(page.getByText('reply to any mail that this server has sent you')).toBeVisible()

  for (const [contact, address] of [
    ['desk@example.org', 'mailto:desk@example.org'],
    ['https://example.org/desk', 'https://example.org/desk'],
  ] as const) {
    const named = await startServer({ environment: { OPERATOR_CONTACT: contact } })
    await page.goto(`${named.url}/upgrade?plan=personal`)
    await expect(page.getByRole('link', { name: contact })).toHaveAttribute('href', address)
    await expect(page.getByText('reply to any mail')).toBeHidden()
    await named.stop()
  }
  await expect(startServer({ environment: { OPERATOR_CONTACT: 'javascript:alert(1)' } })).rejects.toThrow(
    'must be an email address or start with https://',
  )
})
