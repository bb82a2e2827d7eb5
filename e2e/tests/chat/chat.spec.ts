import type { Page } from '@playwright/test'
import { accounts } from '@sallyport/contract/accounts'
import { messages } from '@sallyport/contract/messages'
import { createAccount } from '../../support/account/account.ts'
import { openFiles, openNewAccount } from '../../support/account/open-files.ts'
import { expectFiles } from '../../support/account/users.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { expectToast } from '../../support/browser/toasts.ts'
import { expect, test } from '../../support/journey.ts'
import {
  deleteAllMessages,
  messageCards,
  messageInput,
  openChat,
  sendMessage,
  shownTexts,
} from '../../support/messages.ts'

const phone = { width: 390, height: 844 }
const longText = 'a line that is one of many\n'.repeat(6)

test('CHT-02 addresses in messages are links that open apart, and a deceptive one asks first', async ({
  page,
  context,
}) => {
  await context.route('https://*.example/**', (route) => route.fulfill({ body: route.request().url() }))
  await openNewAccount(page)
  await openChat(page)
  await messageInput(page).fill('see https://docs.example/a, not https://bank.example@evil.example/')
  await messageInput(page).press('Control+Enter')
  const link = page.getByRole('link', { name: 'https://docs.example/a' })
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')

  const [opened] = await Promise.all([context.waitForEvent('page'), link.click()])
  await opened.waitForLoadState()
  expect(opened.url()).toBe('https://docs.example/a')
  expect(await opened.evaluate(() => [document.referrer, window.opener])).toEqual(['', null])

  await page.getByRole('link', { name: 'https://bank.example@evil.example/' }).click()
  const question = page.getByRole('alertdialog', { name: 'Open this link?' })
  await expect(question).toContainText('It leads to evil.example')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(context.pages()).toHaveLength(2)
})

test('CHT-02 on a desktop, messages are sent with Ctrl+Enter or the button, newest first, and copied and deleted one by one', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openNewAccount(page)
  await openChat(page)
  await expect(page.getByText('No messages yet')).toBeVisible()
  await expect(page.getByText('Send a message to see it here')).toBeVisible()
  await expect(page.getByText('Ctrl+Enter to send')).toBeVisible()

  await messageInput(page).fill('first\nof two lines')
  await messageInput(page).press('Enter')
  await expect(messageInput(page)).toHaveValue('first\nof two lines\n')
  await messageInput(page).press('Control+Enter')
  await expect(messageCards(page)).toHaveCount(1)
  await expect(messageInput(page)).toBeFocused()
  await messageInput(page).fill('second')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(messageCards(page)).toHaveCount(2)
  await expect(messageCards(page).first().getByText('Gone in 5 min')).toBeVisible()
  expect(await shownTexts(page)).toEqual(['second', 'first\nof two lines'])
  await expect(page.getByText('No messages yet')).toBeHidden()

  await messageCards(page).last().getByRole('button', { name: 'Copy' }).click()
  await expectToast(page, 'Message copied!')
  expect(await clipboard(page)).toBe('first\nof two lines')
  await page.getByRole('button', { name: 'Copy All' }).click()
  await expectToast(page, 'All messages copied!')
  expect(await clipboard(page)).toBe('first\nof two lines\n\nsecond')
  await expect(page.getByText('All messages copied!')).toBeHidden()

  await messageCards(page).first().getByRole('button', { name: 'Delete' }).click()
  await expect(messageCards(page)).toHaveCount(1)
  await page.reload()
  await expect(messageCards(page)).toHaveCount(1)
  expect(await shownTexts(page)).toEqual(['first\nof two lines'])
})

test('CHT-02 SHL-12 a long message is truncated to 2 lines, expands on demand and collapses again', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await sendMessage(account, 'short')
  await sendMessage(account, longText)
  await openFiles(page, account)
  await openChat(page)
  const [long, short] = [messageCards(page).first(), messageCards(page).last()]
  const text = long.locator('p')
  const visibleLines = () =>
    text.evaluate((element) => element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight))

  await expect(long.getByRole('button', { name: 'Show more' })).toBeVisible()
  expect(await visibleLines()).toBeCloseTo(2, 1)
  await expect(short.getByRole('button', { name: 'Show more' })).toBeHidden()

  await long.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(visibleLines).toBeCloseTo(6, 0)
  await long.getByRole('button', { name: 'Show less' }).click()
  await expect.poll(visibleLines).toBeCloseTo(2, 1)
})

test('CHT-03 SHL-11 on a phone, the oldest is first and the newest in view, Enter sends unless it confirms a word, Shift+Enter adds a line, and Delete All removes all', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const account = await createAccount(server.url)
  for (let sent = 1; sent <= 12; sent += 1) await sendMessage(account, `message ${sent}`)
  await page.setViewportSize(phone)
  await openFiles(page, account)
  await openChat(page)
  await expect(messageCards(page)).toHaveCount(12)
  await expect(messageCards(page).last()).toBeInViewport({ ratio: 1 })
  await expect(messageCards(page).first()).not.toBeInViewport()
  expect((await shownTexts(page))[0]).toBe('message 1')

  await messageInput(page).fill('one')
  await messageInput(page).press('Shift+Enter')
  await messageInput(page).pressSequentially('two')
  // Safari ends the composition before it sends the Enter that confirmed a word of an input method.
  await messageInput(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229 })
  await messageInput(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true })
  await expect(messageInput(page)).toHaveValue('one\ntwo')
  await messageInput(page).press('Enter')
  await expect(messageCards(page)).toHaveCount(13)
  await expect(messageCards(page).last()).toBeInViewport({ ratio: 1 })
  await expect(messageCards(page).last().locator('p')).toHaveText('one\ntwo')
  await expect(messageInput(page)).toHaveValue('')

  await messageCards(page).last().getByRole('button', { name: /^Copy/ }).click()
  await expectToast(page, 'Message copied!')
  expect(await clipboard(page)).toBe('one\ntwo')
  await messageCards(page)
    .last()
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(messageCards(page)).toHaveCount(12)
  await page.getByRole('button', { name: 'Copy All' }).click()
  await expectToast(page, 'All messages copied!')
  expect((await clipboard(page)).split('\n\n')).toHaveLength(12)

  const deleteAll = page.getByRole('button', { name: 'Delete All' })
  await deleteAll.click()
  const question = page.getByRole('alertdialog', { name: 'Delete All?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(deleteAll).toBeFocused()
  expect(await account.call(messages.list, {})).toHaveLength(12)
  await deleteAllMessages(page)
  await expect(page.getByText('No messages yet')).toBeVisible()
  expect(await account.call(messages.list, {})).toEqual([])
  await expect(deleteAll).toBeDisabled()
})

test('SHL-12 on a small screen the message field grows from 44 to 120 pixels and shrinks again', async ({ page }) => {
  await page.setViewportSize(phone)
  await openNewAccount(page)
  await openChat(page)
  const height = async () => (await messageInput(page).boundingBox())?.height

  await expect.poll(height).toBe(44)
  await messageInput(page).fill('one\ntwo')
  await expect.poll(height).toBeGreaterThan(44)
  expect(await height()).toBeLessThan(120)
  await messageInput(page).fill('line\n'.repeat(30))
  await expect.poll(height).toBe(120)
  await messageInput(page).fill('')
  await expect.poll(height).toBe(44)
})

test('CHT-01 CHT-02 a message counts down to its expiry and then disappears from the screen and the server', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.call(accounts.saveSettings, { body: { defaultExpirationMinutes: 1 } })
  await page.clock.install()
  await openFiles(page, account)
  await openChat(page)
  await messageInput(page).fill('soon gone')
  await messageInput(page).press('Control+Enter')
  await expect(messageCards(page).getByText(/^Gone in (60|5\d) s$/)).toBeVisible()
  const [{ expiresAt } = { expiresAt: 0 }] = await account.call(messages.list, {})

  await page.clock.pauseAt(expiresAt - 6000)
  await page.clock.runFor(1000)
  await expect(messageCards(page).getByText(/^Gone in [45] s$/)).toBeVisible()
  await page.clock.runFor(6000)
  await expect(page.getByText('No messages yet')).toBeVisible()

  await server.setClock(61_000)
  expect(await account.call(messages.list, {})).toEqual([])
})

test('SHL-03 the last area is restored, and each area has its own URL', async ({ page }) => {
  await openNewAccount(page)
  await expect(page.getByRole('link', { name: 'Files', exact: true })).toHaveAttribute('aria-current', 'page')
  await openChat(page)

  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Chat', exact: true })).toBeVisible()
  await expect(page).toHaveTitle('Chat · Sallyport')
  await page.getByRole('link', { name: 'Files', exact: true }).click()
  await expectFiles(page)
  await page.goto('/dashboard')
  await expectFiles(page)

  await page.goto('/?tab=chat')
  await messageInput(page).fill('a draft')
  await page.getByRole('link', { name: 'Files', exact: true }).click()
  await expectFiles(page)
  await page.goBack()
  await expect(messageInput(page)).toHaveValue('a draft')
})

test('the chat is accessible empty, filled and with undecryptable messages, in both themes and sizes', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await openFiles(page, account)
  await openChat(page)
  await expect(page.getByText('No messages yet')).toBeVisible()
  await expectAccessible(page, 'empty')

  await sendMessage(account, 'Gate code for Saturday is 4471. Delete after you have it.')
  await sendMessage(account, longText)
  await sendMessage({ ...account, accountKey: new Uint8Array(32).fill(7) }, 'sealed under another key')
  await expect(messageCards(page)).toHaveCount(3)
  await messageInput(page).fill('a draft')
  await expectAccessible(page, 'filled')
})

const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
