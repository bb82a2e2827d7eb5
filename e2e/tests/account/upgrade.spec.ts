import { createAccount, newEmail } from '../../support/account/account.ts'
import { openSettings } from '../../support/account/security.ts'
import { dropZone, enterPassword, expectFiles, fileRow, signIn, signUp } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { recordStart } from '../../support/browser/page-start.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import { startServer } from '../../support/server/server.ts'

const hour = 3_600_000
const day = 24 * hour

test('ACC-05 T045 after the trial has ended, sign-in shows the plans; nothing closes them, and no file call is made', async ({
  page,
  server,
}) => {
  // A new one, because its trial has to begin now.
  const account = await createAccount(server.url, newEmail())
  const requestedPaths: string[] = []
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
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
  await expect(dialog.getByText('Your trial has ended. Choose a plan to continue.')).toBeVisible()
  expect(requestedPaths.filter((path) => /^\/api\/(files|upload|download|account\/keys)/.test(path))).toEqual([])

  await dialog.getByRole('radio', { name: /Business/ }).check()
  await dialog.getByRole('button', { name: 'Upgrade Now' }).click()
  const organizationDialog = page.getByRole('dialog', { name: 'Organization Details' })
  const checkOut = organizationDialog.getByRole('button', { name: 'Continue to Checkout' })
  await expect(checkOut).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Upgrade Now' }).click()
  await organizationDialog.getByRole('textbox', { name: 'Organization Name *' }).fill('   ')
  await page.keyboard.press('Enter')
  await expect(organizationDialog.getByText('Please enter an organization name')).toBeVisible()
  await organizationDialog.getByRole('textbox', { name: 'Organization Name *' }).fill('Harbour Light')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'The Business plan' })).toBeVisible()
  await expect(page.getByText('Harbour Light')).toBeVisible()
  await expect(page.getByText('5 seats × $8.00')).toBeVisible()

  await page.getByRole('button', { name: 'Back' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
})

test('ACC-04 long after its end, a trial is rejected with the plans, which can be closed', async ({ page, server }) => {
  const account = await createAccount(server.url, newEmail())
  await server.setClock(40 * day)
  await enterPassword(page, account)

  const dialog = page.getByRole('dialog', { name: 'Trial Expired - Upgrade Required' })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('alert')).toContainText('trial has expired')
  expect(await page.evaluate(() => localStorage.getItem('sallyport-auth'))).toBeNull()
})

test('ACC-05 a licence that expires while signed in shows the plans, and a renewed one lets the user continue', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url, newEmail())
  await server.setClock(7 * day - hour / 2)
  const started = recordStart(page)
  await signIn(page, account)

  await openSettings(page)
  // Otherwise a call of the page itself could meet the expired licence first.
  await started()
  await page.route(/\/api\/(files$|messages|account|user-info|uploads?$|live)/, (route) => route.abort())
  await server.setClock(7 * day + hour / 2)
  await page.getByRole('button', { name: 'Save Settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Trial Expired - Upgrade Required' })
  await expect(dialog).toBeVisible()

  await page.unrouteAll()
  await server.setClock(7 * day - hour / 2)
  await page.goto('/')
  await expectFiles(page)
  await expect(dialog).toBeHidden()
})

test('ACC-05 an upload or download after the licence has expired shows the plans like any other call', async ({
  page,
  server,
  folder,
}) => {
  const account = await createAccount(server.url, newEmail())
  const [firstFile, secondFile] = await Promise.all(
    ['kept.bin', 'late.bin'].map((name) => makeRandomFile({ folder, name, bytes: 10_000 })),
  )
  const dialog = page.getByRole('dialog', { name: 'Trial Expired - Upgrade Required' })
  /** Blocks all other calls, so that only the transfer meets the expired licence. */
  async function expireLicence() {
    await page.route(/\/api\/(files$|messages|account|user-info|uploads$|settings|live)/, (route) => route.abort())
    await server.setClock(7 * day + hour / 2)
  }
  await server.setClock(7 * day - hour / 2)
  await signIn(page, account)
  await dropFiles(page, dropZone(page), [firstFile?.path ?? ''])
  await expect(fileRow(page, 'kept.bin')).toBeVisible()

  await expireLicence()
  await fileRow(page, 'kept.bin').getByRole('button', { name: 'Download' }).click()
  await expect(dialog).toBeVisible()

  await page.unrouteAll()
  await server.setClock(7 * day - hour / 2)
  const started = recordStart(page)
  await page.goto('/')
  await expectFiles(page)
  await started()
  await expireLicence()
  await dropFiles(page, dropZone(page), [secondFile?.path ?? ''])
  await expect(dialog).toBeVisible()
})

test('PLN-02 where the operator sells plans, the dialog leads to their contact, and where the page sells them, to the settings', async ({
  page,
  server,
}) => {
  const contactServer = await startServer({ environment: { BILLING: 'contact', OPERATOR_CONTACT: 'desk@example.org' } })
  await signUp(page, undefined, contactServer.url)
  await page.goto(`${contactServer.url}/settings`)
  await page.getByRole('button', { name: 'Upgrade' }).click()
  await page.getByRole('button', { name: 'Subscribe Now' }).click()
  await expect(page.getByRole('heading', { name: 'The Personal plan' })).toBeVisible()
  await expect(page.getByText('This server doesn’t accept payments.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'desk@example.org' })).toBeVisible()
  await contactServer.stop()

  await signUp(page, undefined, server.url)
  await page.goto(`${server.url}/upgrade?plan=personal`)
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
})

test('PLN-02 where the operator sells plans, the page of a plan shows how to reach them, if known', async ({
  page,
}) => {
  const unknown = await startServer({ environment: { BILLING: 'contact' } })
  await page.goto(`${unknown.url}/upgrade?plan=personal`)
  await expect(page.getByText('reply to any email from this server')).toBeVisible()
  await unknown.stop()

  for (const [contact, address] of [
    ['desk@example.org', 'mailto:desk@example.org'],
    ['https://example.org/desk', 'https://example.org/desk'],
  ] as const) {
    const contactServer = await startServer({ environment: { BILLING: 'contact', OPERATOR_CONTACT: contact } })
    await page.goto(`${contactServer.url}/upgrade?plan=personal`)
    await expect(page.getByRole('link', { name: contact })).toHaveAttribute('href', address)
    await expect(page.getByText('reply to any email')).toBeHidden()
    await contactServer.stop()
  }
  await expect(startServer({ environment: { OPERATOR_CONTACT: 'javascript:alert(1)' } })).rejects.toThrow(
    'must be an email address or start with https://',
  )
})
