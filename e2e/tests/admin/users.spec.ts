import type { Page } from '@playwright/test'
import { admin as adminContract } from '@sallyport/contract/admin'
import { billing } from '@sallyport/contract/billing'
import { createAccount } from '../../support/account/account.ts'
import { runAdmin } from '../../support/account/admin.ts'
import {
  adminButton,
  confirmQuestion,
  openAdmin,
  userCard,
  userRows,
  usersTable,
  viewUser,
} from '../../support/account/admin-area.ts'
import { insertUsers } from '../../support/account/insert-users.ts'
import { openFiles, openNewAccount } from '../../support/account/open-files.ts'
import { confirmPassword, reauthAfterMs } from '../../support/account/security.ts'
import { enterPassword, expectFiles } from '../../support/account/users.ts'
import { areas } from '../../support/areas.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { expect, test } from '../../support/journey.ts'

const day = 24 * 60 * 60_000

/** The date of a detail on the page of a user. */
async function dateOf(page: Page, card: string, label: string): Promise<number> {
  const row = userCard(page, card)
    .locator('div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .last()
  return Date.parse(`${await row.getByRole('definition').textContent()} UTC`)
}

const notFound = (page: Page) => page.getByText('404 Not Found')

test('ADM-02 ADM-03 ADM-04 SHL-05 SHL-10 an admin finds a user, extends and changes the licence, promotes and demotes them', async ({
  page,
  server,
  anotherBrowser,
}) => {
  test.slow()
  const account = await openAdmin(page, server)
  const otherPage = await (await anotherBrowser()).newPage()
  const other = await openNewAccount(otherPage, server.url)
  await other.upload(new File(['eleven byte'], 'minutes.txt'))
  await expect(adminButton(otherPage)).toHaveCount(0)

  await page.getByRole('button', { name: 'Your account' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Admin Dashboard', 'Settings', 'Sign Out'])
  await page.keyboard.press('Escape')
  await adminButton(page).click()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await expect(areas(page).getByRole('link')).toHaveCount(0)
  await areas(page).getByRole('button', { name: 'Files' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Files', 'Chat', 'Portal', 'Sessions'])
  await page.getByRole('menuitem', { name: 'Chat' }).click()
  await expect(page.getByRole('heading', { name: 'Chat' })).toBeVisible()
  await expect(areas(page).getByRole('link')).toHaveCount(4)

  await viewUser(page, other.email)
  await expect(page).toHaveURL(/\/admin\/user\/[0-9a-f-]{36}$/)
  await expect(userCard(page, 'Account')).toContainText('11 Bytes of 1.00 GB')
  await expect(userCard(page, 'File activity')).toContainText('Uploaded1')
  await expect(userCard(page, 'Recent files').getByRole('row')).toHaveCount(2)
  await expect(userCard(page, 'Recent files')).toContainText('11 Bytes')
  await expect(userCard(page, 'Recent activity')).toContainText('Uploaded 1 file, 11 Bytes')
  await expect(page.getByText('minutes.txt')).toHaveCount(0)
  await expect(userCard(page, 'Subscription')).toHaveCount(0)

  // A prompt without a number does nothing.
  const extensions: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/extend-subscription')) extensions.push(request.postData() ?? '')
  })
  const prompt = page.getByRole('dialog', { name: 'Extend by how many days?' })
  const extendBy = async (days: string) => {
    await userCard(page, 'License').getByRole('button', { name: 'Extend' }).click()
    await expect(prompt.getByRole('textbox', { name: 'Days' })).toBeFocused()
    await page.keyboard.type(days)
    await page.keyboard.press('Enter')
  }
  const endsAt = await dateOf(page, 'License', 'Ends')
  for (const days of ['x', '1.5', '0', '3651', '']) {
    await extendBy(days)
    await expect(prompt).toBeHidden()
  }
  expect(extensions).toEqual([])

  // Long after signing in, the password is asked for, and the call is repeated.
  await server.setClock(reauthAfterMs)
  await extendBy('10')
  await confirmPassword(page, account.password)
  await expect(prompt).toBeHidden()
  expect(extensions).toEqual(['{"days":10}', '{"days":10}'])
  expect(await dateOf(page, 'License', 'Ends')).toBe(endsAt + 10 * day)

  await page.getByRole('combobox', { name: 'License type' }).selectOption('VIP')
  await userCard(page, 'License').getByRole('button', { name: 'Save' }).click()
  await confirmQuestion(page, /^Change the license of .* to VIP\?$/, 'Change license')
  await expect(page.getByRole('main').getByText('VIP', { exact: true }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Promote to admin' }).click()
  await confirmQuestion(page, /^Make .* an admin\?$/, 'Promote')
  await expect(page.getByRole('button', { name: 'Demote' })).toBeFocused()
  // The other page is notified.
  await adminButton(otherPage).click()
  await expect(otherPage.getByRole('heading', { name: 'Services' })).toBeVisible()

  await page.getByRole('button', { name: 'Demote' }).click()
  await confirmQuestion(page, /^Remove admin rights from .*\?$/, 'Demote')
  await expect(notFound(otherPage)).toBeVisible()
  await otherPage.getByRole('link', { name: 'Go home' }).click()
  await expectFiles(otherPage)
  await expect(adminButton(otherPage)).toHaveCount(0)
  await expect(other.call(adminContract.users, {})).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' })

  // The only admin stays one.
  await viewUser(page, account.email)
  await expect(page.getByRole('button', { name: 'Sign out everywhere' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Demote' })).toHaveCount(0)
})

test('ADM-04 SHL-10 the first call that an admin may no longer make closes the area', async ({ page, server }) => {
  const account = await openAdmin(page, server)
  await createAccount(server.url)
  await page.goto('/admin?tab=users')
  await expect(userRows(page).first()).toBeVisible()
  const other = await createAccount(server.url)
  await runAdmin(server, 'promote', other.email)

  // The command runs in another process, so that the page is not notified.
  await runAdmin(server, 'demote', account.email)
  await page.getByRole('button', { name: 'Email' }).click()

  await expect(notFound(page)).toBeVisible()
  await page.goto('/')
  await expectFiles(page)
  await expect(adminButton(page)).toHaveCount(0)
})

test('ADM-04 an admin signs a user out everywhere, bans and unbans them', async ({ page, server, anotherBrowser }) => {
  await openAdmin(page, server)
  const otherPage = await (await anotherBrowser()).newPage()
  const other = await createAccount(server.url)
  await openFiles(otherPage, other, server.url)
  await viewUser(page, other.email)
  const access = userCard(page, 'Access')

  await access.getByRole('button', { name: 'Sign out everywhere' }).click()
  await confirmQuestion(page, /^Sign .* out everywhere\?$/, 'Sign out everywhere')
  await expect(otherPage.getByText('Your session has expired. Please log in again.')).toBeVisible()

  await access.getByRole('button', { name: 'Ban' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(access.getByRole('button', { name: 'Ban' })).toBeFocused()
  await page.keyboard.press('Enter')
  await confirmQuestion(page, /^Ban .*\?$/, 'Ban')
  await expect(access.getByText('This user is signed out and can’t sign in.')).toBeVisible()
  await enterPassword(otherPage, other, server.url)
  await expect(otherPage.getByRole('alert')).not.toBeEmpty()
  await page.getByRole('link', { name: 'Users' }).first().click()
  await expect(userRows(page)).toHaveCount(1)
  await expect(userRows(page)).toContainText('Banned')

  await page.getByRole('link', { name: /^View/ }).click()
  await access.getByRole('button', { name: 'Unban' }).click()
  await confirmQuestion(page, /^Unban .*\?$/, 'Unban')
  await expect(access.getByRole('button', { name: 'Ban', exact: true })).toBeVisible()
  await otherPage.reload()
  await enterPassword(otherPage, other, server.url)
  await expectFiles(otherPage)
})

test('ADM-03 ADM-04 the subscription of a personal plan is shown, extended and cancelled', async ({ page, server }) => {
  await openAdmin(page, server)
  const buyer = await createAccount(server.url)
  const order = { price_id: 'personal', customer_email: buyer.email, success_url: '/', cancel_url: '/' }
  const { checkout_url: url } = await buyer.call(billing.createCheckout, { body: order })
  const id = url.slice(url.lastIndexOf('/') + 1)
  await buyer.call(billing.payTestCheckout, { params: { id } })
  await viewUser(page, buyer.email)
  const card = userCard(page, 'Subscription')
  await expect(card).toContainText('Active')
  await expect(card.getByText('–')).toHaveCount(2)
  const endsAt = await dateOf(page, 'Subscription', 'Current period ends')

  await userCard(page, 'License').getByRole('button', { name: 'Extend' }).click()
  await page.getByRole('textbox', { name: 'Days' }).fill('30')
  await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  const extendedDays = Math.round(((await dateOf(page, 'Subscription', 'Current period ends')) - endsAt) / day)
  // A day that the month before does not have is the first one after it.
  expect([30, 31, 32, 33]).toContain(extendedDays)

  await card.getByRole('button', { name: 'Cancel subscription' }).click()
  const question = page.getByRole('alertdialog', { name: /^Cancel the subscription of / })
  await question.getByRole('button', { name: 'Keep subscription' }).click()
  await expect(question).toBeHidden()
  await card.getByRole('button', { name: 'Cancel subscription' }).click()
  await confirmQuestion(page, /^Cancel the subscription of /, 'Cancel subscription')
  await expect(card.getByText('Ending Soon')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Cancel subscription' })).toHaveCount(0)
})

test('ADM-02 the users list has pages of 50, is searched, filtered and sorted, and its state is in the URL', async ({
  page,
  server,
}) => {
  await openAdmin(page, server)
  insertUsers(server, 96)
  await page.goto('/admin?tab=users')
  const previous = page.getByRole('button', { name: 'Previous' })
  const next = page.getByRole('button', { name: 'Next' })
  const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('status')

  await expect(userRows(page)).toHaveCount(50)
  await expect(pages).toHaveText('Page 1 · 100 users')
  await expect(previous).toBeDisabled()
  await next.click()
  await expect(pages).toHaveText('Page 2 · 100 users')
  await expect(userRows(page)).toHaveCount(50)
  await expect(userRows(page).last()).toContainText('user-096@example.org')
  // A full page says nothing about the one after it.
  await next.click()
  await expect(page.getByText('No more users.')).toBeVisible()
  await expect(next).toBeDisabled()
  await previous.click()
  await previous.click()
  await expect(previous).toBeDisabled()

  const byEmail = usersTable(page).getByRole('columnheader', { name: 'Email' })
  await byEmail.getByRole('button').click()
  await expect(byEmail).toHaveAttribute('aria-sort', 'ascending')
  await byEmail.getByRole('button').click()
  await expect(byEmail).toHaveAttribute('aria-sort', 'descending')
  await expect(userRows(page).first()).toContainText('user-096@example.org')
  await expect(page).toHaveURL('/admin?tab=users&sort_by=email')
  for (const name of ['License', 'Files', 'Storage', 'Created', 'Last login']) {
    await usersTable(page).getByRole('columnheader', { name }).getByRole('button').click()
    await expect(userRows(page)).toHaveCount(50)
  }

  const searches: string[] = []
  page.on('request', (request) => {
    const search = new URL(request.url()).searchParams.get('search')
    if (search !== null) searches.push(search)
  })
  const searchBox = page.getByRole('searchbox', { name: 'Search' })
  await searchBox.pressSequentially('user-04')
  await expect(userRows(page)).toHaveCount(10)
  await searchBox.press('End')
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await expect(userRows(page)).toHaveCount(1)
  await expect(userRows(page)).toContainText('user-042@example.org')
  await expect(next).toBeDisabled()
  expect(searches.at(-1)).toBe('user-042')

  await page.getByRole('link', { name: /^View/ }).click()
  await expect(page.getByRole('heading', { name: 'user-042@example.org' })).toBeVisible()
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(searchBox).toHaveValue('user-042')
  await expect(userRows(page)).toHaveCount(1)

  await page.getByRole('combobox', { name: 'License' }).selectOption('Paid')
  await expect(page.getByText('No users match.')).toBeVisible()
  await page.reload()
  await expect(page.getByText('No users match.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(userRows(page)).toHaveCount(50)
  await expect(searchBox).toHaveValue('')
})

test('SHL-10 the admin area waits while the server cannot say who is an admin', async ({ page, server }) => {
  await openAdmin(page, server)
  const body = { success: false, code: 'UNAVAILABLE', error: 'The server is busy. Please try again in a moment.' }
  await page.route('**/api/admin/status', (route) => route.fulfill({ status: 503, json: body }))
  await page.goto('/admin?tab=users')
  await expect(page.getByRole('alert')).toContainText('The admin area could not be loaded', { timeout: 20_000 })

  await page.unroute('**/api/admin/status')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
})

test('ADM-02 ADM-03 what could not be loaded is loaded again by Retry, and an unknown user leads back', async ({
  page,
  server,
}) => {
  await openAdmin(page, server)
  await page.goto('/admin?tab=users')
  await expect(userRows(page)).toHaveCount(4)

  await page.route('**/api/admin/users?*', (route) => route.fulfill({ status: 400, body: 'nonsense' }))
  await page.getByRole('button', { name: 'Email' }).click()
  await expect(page.getByRole('alert')).toContainText('Failed to load users')
  await expect(userRows(page)).toHaveCount(4)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)

  let answer: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/admin/users?*', async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await expect(page.getByRole('table', { name: 'Loading users' })).toBeVisible()
  answer()
  await expect(userRows(page)).toHaveCount(4)
  await page.unrouteAll()

  await page.route('**/detailed', (route) => route.fulfill({ status: 400, json: {} }))
  await page.getByRole('link', { name: /^View/ }).first().click()
  await expect(page.getByText('No such user')).toBeVisible()
  await page.unrouteAll()
  await page.route('**/detailed', (route) => route.fulfill({ status: 429, json: {} }))
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Failed to load user data')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { name: '@example.org' })).toBeVisible()

  for (const id of ['00000000-0000-4000-8000-000000000000', 'x']) {
    await page.goto(`/admin/user/${id}`)
    await expect(page.getByText('No such user')).toBeVisible()
  }
  await page.getByRole('link', { name: 'Back to users' }).click()
  await expect(userRows(page)).toHaveCount(4)
})

test('ADM-02 ADM-03 ADM-04 the admin area is used with the keyboard alone and on a phone, on accessible screens', async ({
  page,
  server,
}) => {
  test.slow()
  await openAdmin(page, server)
  const { email } = await createAccount(server.url)
  const press = async (name: RegExp) => {
    await tabTo(page, name)
    await page.keyboard.press('Enter')
  }
  await press(/^\s*Admin\s*$/)
  await press(/^\s*Users\s*$/)
  await expect(userRows(page).first()).toBeVisible()
  await expectAccessible(page, 'users')
  await page.setViewportSize({ width: 1280, height: 860 })

  await tabTo(page, /Search by email/)
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await expect(userRows(page)).toHaveCount(1)
  await press(/^\s*View/)
  await expect(page.getByRole('heading', { name: email })).toBeVisible()
  await expectAccessible(page, 'user')
  await page.setViewportSize({ width: 1280, height: 860 })
  await press(/^\s*Extend\s*$/)
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 'days')
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Extend' })).toBeFocused()
  await press(/^\s*Ban\s*$/)
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page, 'question')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Unban' })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/admin?tab=users')
  const cards = page.getByRole('list', { name: 'Users' }).getByRole('listitem')
  await expect(cards.filter({ hasText: email })).toContainText('Banned')
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Email')
  await expect(page).toHaveURL(/sort_by=email&sort_order=asc/)
  await page.getByRole('button', { name: 'Ascending' }).click()
  await expect(page).toHaveURL(/sort_by=email$/)
  await cards.filter({ hasText: email }).getByRole('link', { name: /^View/ }).click()
  await expect(page.getByRole('heading', { name: email })).toBeVisible()
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await expect(adminButton(page)).toBeInViewport({ ratio: 1 })
  }
})
