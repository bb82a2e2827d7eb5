import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { createAccount, newEmail } from '../../support/account/account.ts'
import {
  accessTokenOf,
  dropZone,
  enterPassword,
  expectFiles,
  fileRow,
  signIn,
  signOut,
  signUp,
} from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { shareByLink } from '../../support/files/shared-file.ts'
import { expect, test } from '../../support/journey.ts'
import type { RunningServer } from '../../support/server/server.ts'
import { startServer } from '../../support/server/server.ts'

const minute = 60_000
const day = 24 * 60 * minute

const upgradeDialog = (page: Page) => page.getByRole('dialog', { name: 'Upgrade Your Plan' })
const planCard = (page: Page) => page.getByRole('region', { name: /^Subscription/ })

/** Opens the checkout of the personal plan from the settings. */
async function openCheckout(page: Page): Promise<void> {
  await page.goto('/settings')
  await planCard(page).getByRole('button', { name: 'Upgrade' }).click()
  await upgradeDialog(page).getByRole('button', { name: 'Subscribe Now' }).click()
  await expect(page.getByText('Test checkout – no money moves')).toBeVisible()
}

const pay = (page: Page) => page.getByRole('button', { name: 'Pay $10.00' }).click()

async function subscriptionOf(page: Page, server: RunningServer) {
  const headers = { authorization: `Bearer ${await accessTokenOf(page)}` }
  return (await fetch(`${server.url}/api/subscription/info`, { headers })).json()
}

/** Sets how long the files of the account are stored by default. */
async function setLifetime(page: Page, server: RunningServer, minutes: number): Promise<void> {
  const headers = { authorization: `Bearer ${await accessTokenOf(page)}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ defaultExpirationMinutes: minutes })
  await fetch(`${server.url}/api/settings`, { method: 'POST', headers, body })
}

test('PLN-01 PLN-02 PLN-04 PLN-05 PLN-06 SET-04 a personal plan is bought, cancelled and followed by a trial', async ({
  page,
  server,
  folder,
}) => {
  test.slow()
  const account = await signUp(page)

  await openCheckout(page)
  await expect(page.getByText(account.email)).toBeVisible()
  await page.getByRole('button', { name: 'Decline the card' }).click()
  await expect(page.getByRole('alert')).toHaveText('The payment was declined. Nothing was changed.')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(planCard(page)).toContainText('of 1.00 GB')

  await openCheckout(page)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  await expect(page.getByText('Your Personal plan is active.')).toBeVisible()
  await expect(page.getByText(/^Continuing in [1-5] s$/)).toBeVisible()
  await expectFiles(page)
  await expect(page.getByText(/of 50.00 GB/).last()).toBeVisible()

  await page.goto('/settings')
  const card = page.getByRole('region', { name: 'Subscription Management' })
  await expect(card.getByText('Active', { exact: true })).toBeVisible()
  await expect(card.getByText('$10.00 per month')).toBeVisible()
  await expect(card.getByText('Next billing date')).toBeVisible()
  for (const feature of ['50GB storage', 'Priority support', 'Advanced encryption', 'Share links'])
    await expect(card.getByText(feature)).toBeVisible()
  await card.getByRole('button', { name: 'Cancel Subscription' }).click()
  const question = page.getByRole('alertdialog', { name: 'Cancel your subscription?' })
  await question.getByRole('button', { name: 'Keep Subscription' }).click()
  await expect(question).toBeHidden()
  await card.getByRole('button', { name: 'Cancel Subscription' }).click()
  await question.getByRole('button', { name: 'Yes, Cancel Subscription' }).click()
  await expect(card.getByRole('status')).toHaveText('Your subscription is cancelled.')
  await expect(card.getByText('Ending Soon')).toBeVisible()
  await expect(card.getByText('Ends on')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Cancel Subscription' })).toHaveCount(0)

  // A file of the last days outlives the plan.
  const endsInMs = (await subscriptionOf(page, server)).current_period_end * 1000 - Date.now()
  await signOut(page)
  await server.setClock(endsInMs - 60 * minute)
  await signIn(page, account)
  await setLifetime(page, server, 7 * 24 * 60)
  await page.reload()
  await expectFiles(page)
  const file = await makeRandomFile({ folder, name: 'contract.pdf', bytes: 20_000 })
  await dropFiles(page, dropZone(page), [file.path])
  await expect(fileRow(page, 'contract.pdf')).toBeVisible()

  await signOut(page)
  await server.setClock(endsInMs + 60 * minute)
  await signIn(page, account)
  await expect(fileRow(page, 'contract.pdf')).toBeVisible()
  await expect(page.getByText(/of 1.00 GB/).last()).toBeVisible()
  await page.goto('/settings')
  await expect(planCard(page)).toContainText(/Your plan has ended\. You have 1\.00 GB until \d+ \w+ \d{4}\./)
  await expect(planCard(page).getByRole('button', { name: 'Upgrade' })).toBeVisible()
})

test('PLN-02 PLN-06 SET-04 a plan is bought and cancelled with the keyboard alone, on accessible screens', async ({
  page,
}) => {
  test.slow()
  const press = async (name: RegExp) => {
    await tabTo(page, name)
    await page.keyboard.press('Enter')
  }
  await signUp(page)
  await page.goto('/settings')
  await expect(planCard(page)).toContainText('of 1.00 GB')
  await press(/Upgrade/)
  await expect(upgradeDialog(page)).toBeVisible()
  await expectAccessible(page, 'plans')
  await press(/Subscribe Now/)
  await expect(page.getByRole('heading', { name: 'The Personal plan' })).toBeVisible()
  await press(/Decline the card/)
  await expect(page.getByRole('alert')).not.toBeEmpty()
  await expectAccessible(page, 'checkout')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your Personal plan is active.')).toBeVisible()
  await press(/Go now/)
  await expectFiles(page)
  await page.goto('/upgrade-success?plan=personal')
  await expect(page.getByText('Your Personal plan is active.')).toBeVisible()
  await page.goto('/settings')
  await expect(page.getByRole('button', { name: 'Cancel Subscription' })).toBeVisible()
  await expectAccessible(page, 'subscription')
  await press(/Cancel Subscription/)
  const question = page.getByRole('alertdialog', { name: 'Cancel your subscription?' })
  await expect(question.getByRole('button', { name: 'Keep Subscription' })).toBeFocused()
  await expectAccessible(page, 'cancellation')
  await press(/Yes, Cancel Subscription/)
  await expect(page.getByText('Ending Soon')).toBeVisible()
})

test('PLN-05 SET-04 a plan bought or cancelled in one tab shows in the others at once', async ({ page, context }) => {
  await signUp(page)
  await page.goto('/settings')
  await expect(planCard(page)).toContainText('of 1.00 GB')
  const other = await context.newPage()
  await other.goto('/')
  await expectFiles(other)
  await openCheckout(other)
  await pay(other)

  await expect(page.getByRole('region', { name: 'Subscription Management' })).toContainText('of 50.00 GB')
  await expectFiles(other)
  await other.goto('/settings')
  await other.getByRole('button', { name: 'Cancel Subscription' }).click()
  await other.getByRole('button', { name: 'Yes, Cancel Subscription' }).click()
  await expect(page.getByText('Ending Soon')).toBeVisible()
})

/** Signs in with an account whose trial has ended, and follows the dialog of plans to the checkout. */
async function openCheckoutAfterTrial(page: Page, server: RunningServer, days: number) {
  const account = await createAccount(server.url, newEmail())
  await server.setClock(days * day)
  await enterPassword(page, account)
  const dialog = page.getByRole('dialog', { name: 'Trial Expired - Upgrade Required' })
  await dialog.getByRole('button', { name: 'Upgrade Now' }).click()
  return { account, dialog }
}

test('ACC-04 PLN-04 long after its end, a trial buys a plan from the dialog that can be closed', async ({
  page,
  server,
}) => {
  const { account, dialog } = await openCheckoutAfterTrial(page, server, 40)
  await expect(page.getByText(account.email)).toBeVisible()
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain('eyJ')
  await pay(page)
  await expect(page.getByText('Your Personal plan is active.')).toBeVisible()
  await page.getByRole('link', { name: 'Go now' }).click()
  await expect(dialog).toBeHidden()
  await signIn(page, account)
})

test('ACC-05 PLN-04 the dialog that nothing closes leads to a plan, and the files open again', async ({
  page,
  server,
}) => {
  const { account, dialog } = await openCheckoutAfterTrial(page, server, 8)
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Upgrade Now' }).click()
  await pay(page)
  await page.getByRole('link', { name: 'Go now' }).click()

  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expectFiles(page)
})

test('PLN-05 T220 T238 files over the quota stay, and the page says when there is room again', async ({
  page,
  server,
  folder,
}) => {
  await signUp(page)
  const [large, small] = await Promise.all(
    ['large.bin', 'small.bin'].map((name) =>
      makeRandomFile({ folder, name, bytes: name === 'large.bin' ? 3_000_000 : 1000 }),
    ),
  )
  await dropFiles(page, dropZone(page), [large?.path ?? ''])
  await expect(fileRow(page, 'large.bin')).toBeVisible()

  // As after a step down, without the gigabytes. The server reads licences again every 5 seconds.
  const database = new DatabaseSync(join(server.dataFolder, 'sallyport.db'), { timeout: 5000 })
  database.exec('update licences set storage_limit_bytes = 1000000')
  database.close()
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('New uploads start again once files have expired or been deleted.')).toBeVisible()
  }).toPass()
  await dropFiles(page, dropZone(page), [small?.path ?? ''])
  await expect(page.getByRole('alert')).toContainText('Failed to upload small.bin: Storage limit reached')
  const download = page.waitForEvent('download')
  await fileRow(page, 'large.bin').getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('large.bin')
})

test('PLN-04 T219 a checkout that is paid, expired or unknown says so, and the page after a payment gives no plan', async ({
  page,
  server,
}) => {
  const account = await signUp(page)
  await openCheckout(page)
  const paidUrl = page.url()
  await page.goto('/upgrade-success?plan=personal')
  await expect(page.getByText('Your payment is being confirmed...')).toBeVisible()
  await page.goto(paidUrl)
  await pay(page)
  await expectFiles(page)
  await page.goto(paidUrl)
  await expect(page.getByRole('heading', { name: 'This order is paid' })).toBeVisible()
  await page.goto('/checkout/test/tcs_unknown')
  await expect(page.getByRole('heading', { name: 'This checkout doesn’t exist' })).toBeVisible()

  const other = await createAccount(server.url, newEmail())
  const body = { price_id: 'personal', customer_email: other.email, success_url: '/', cancel_url: '/' }
  const headers = { authorization: `Bearer ${other.accessToken}`, 'content-type': 'application/json' }
  const started = await fetch(`${server.url}/api/stripe/create-checkout`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const { checkout_url } = await started.json()
  await server.setClock(2 * 60 * minute)
  await page.goto(new URL(checkout_url).pathname)
  await expect(page.getByRole('heading', { name: 'This checkout has expired' })).toBeVisible()
  expect(account.email).not.toBe(other.email)
})

test('PLN-04 a checkout that cannot be started says why, and a lying server cannot lead elsewhere', async ({
  page,
}) => {
  await signUp(page)
  await page.goto('/settings')
  await planCard(page).getByRole('button', { name: 'Upgrade' }).click()
  const dialog = upgradeDialog(page)
  const subscribe = dialog.getByRole('button', { name: 'Subscribe Now' })
  let answer: object = {
    status: 409,
    json: { success: false, code: 'ALREADY_SUBSCRIBED', error: 'You already have this plan' },
  }
  await page.route('**/api/stripe/create-checkout', (route) => route.fulfill(answer))

  await subscribe.click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to start checkout: You already have this plan')
  for (const checkout_url of ['https://evil.example/checkout/test/tcs_1', '/s/abc', 'javascript:alert(1)']) {
    answer = { json: { success: true, checkout_url, checkout_id: '1' } }
    await subscribe.click()
    await expect(dialog.getByRole('alert')).toHaveText('Failed to create checkout session')
    expect(new URL(page.url()).pathname).toBe('/settings')
  }
})

test('P22 PLN-01 with BILLING=none no screen has a price or speaks of plans', async ({ page }) => {
  const server = await startServer({ environment: { BILLING: 'none' } })
  const forbidden = /\$|\bplans?\b|\bprices?\b|subscri|billing|upgrade|trial|checkout/i
  const expectNoPlans = async () => {
    await page.waitForLoadState('networkidle')
    await expect(page.locator('body')).not.toHaveText(forbidden, { useInnerText: true })
    await expect(page).not.toHaveTitle(forbidden)
  }
  const { link } = await shareByLink(server.url, new File(['eleven byte'], 'minutes.txt'))
  const openedByHand = [
    ['/upgrade', '404 Not Found'],
    ['/upgrade?plan=personal', '404 Not Found'],
    ['/upgrade-success?plan=personal', '404 Not Found'],
    ['/business-success', '404 Not Found'],
    ['/checkout/test/x', '404 Not Found'],
    ['/invite/x', 'Invalid or expired invitation link'],
    ['/s/x', 'This link is incomplete'],
    ['/set-password', 'Invalid or missing password setup link'],
    [link.replace(server.url, ''), 'minutes.txt'],
  ] as const
  const openByHand = async () => {
    for (const [path, text] of openedByHand) {
      await page.goto(server.url + path)
      await expect(page.getByText(text).first()).toBeVisible()
      await expectNoPlans()
    }
  }
  await openByHand()
  await page.goto(server.url)
  await expectNoPlans()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await expectNoPlans()
  await page.getByRole('textbox', { name: 'Email' }).fill(newEmail())
  for (const label of ['Password', 'Confirm password'])
    await page.getByLabel(label, { exact: true }).fill('long enough')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectFiles(page)
  for (const path of ['/', '/settings', '/portal', '/?join=123456']) {
    await page.goto(server.url + path)
    await expectNoPlans()
  }
  await page.goto(server.url)
  for (const area of ['Chat', 'Sessions', 'Portal']) {
    await page.getByRole('link', { name: area, exact: true }).first().click()
    await expectNoPlans()
  }
  await openByHand()
  await server.stop()
})
