import { chatLimits } from '@sallyport/contract/limits'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { expectToast } from '../../support/browser/toasts.ts'
import { firstLine, texts } from '../../support/chat/older-messages.ts'
import { expect, test } from '../../support/journey.ts'
import { insertMessages, messageCards, openChat } from '../../support/messages.ts'
import { hostSession, joinAsGuest, log, sendSessionMessage } from '../../support/sessions.ts'

test('CHT-02 on a desktop, older messages load on scrolling down, and Copy All copies all of them', async ({
  page,
  server,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const account = await createAccount(server.url)
  await insertMessages(server, account, texts)
  const sizes: number[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/api/messages/page')) sizes.push((await response.body().catch(() => '')).length)
  })
  await openFiles(page, account)
  await openChat(page)
  await expect(messageCards(page).first()).toContainText('message 29')
  expect(await messageCards(page).count()).toBeLessThan(30)

  await page.getByRole('button', { name: 'Copy All' }).click()
  await expectToast(page, 'All messages copied!')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n\n').map(firstLine)).toEqual(texts.map(firstLine))

  await page.reload()
  await expect(messageCards(page).first()).toContainText('message 29')
  await expect(async () => {
    await page.mouse.wheel(0, 4000)
    expect(await messageCards(page).count()).toBe(30)
  }).toPass()
  await expect(messageCards(page).last()).toContainText('message 0')
  await expect(page.getByLabel('Loading older messages')).toBeHidden()
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024)
})

test('CHT-04 a failure to load older messages shows an error, and Retry loads them', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await insertMessages(server, account, texts)
  await openFiles(page, account)
  await page.route('**/api/messages/page?before=*', (route) => route.abort())
  await openChat(page)
  await expect(messageCards(page).first()).toContainText('message 29')

  await page.mouse.wheel(0, 9000)
  await expect(page.getByText('Couldn’t load older messages.')).toBeVisible()
  await page.unroute('**/api/messages/page?before=*')
  await expect(page.getByRole('status').getByText('Loading older messages')).toHaveCount(0)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.locator('body')).not.toBeFocused()

  await expect(async () => {
    await page.mouse.wheel(0, 4000)
    expect(await messageCards(page).count()).toBe(30)
  }).toPass()
})

test('SES-06 a new participant sees the newest messages at the bottom, and the older ones on scrolling up', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  for (let index = 0; index < 14; index += 1) {
    await sendSessionMessage(page, `message ${index}\n${'x'.repeat(chatLimits.textBytes - 100)}`)
    await expect(log(page).getByRole('listitem').last()).toContainText(`message ${index}`)
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('')
  }
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  const sizes: number[] = []
  guest.on('response', async (response) => {
    if (/\/messages(\?|$)/.test(response.url())) sizes.push((await response.body().catch(() => '')).length)
  })
  await joinAsGuest(guest, pin)
  const cards = log(guest).getByRole('listitem')
  await expect(cards.last()).toContainText('message 13')
  await expect(cards.last()).toBeInViewport()

  await expect(async () => {
    await guest.mouse.wheel(0, -4000)
    expect(await cards.count()).toBe(14)
  }).toPass()
  await expect(cards.first()).toContainText('message 0')
  expect(sizes.length).toBeGreaterThan(1)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1024 * 1024)
})
