import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { firstLine, texts } from '../../support/chat/older-messages.ts'
import { expect, test } from '../../support/journey.ts'
import { insertMessages, messageCards, openChat, shownTexts } from '../../support/messages.ts'

const phone = { width: 390, height: 844 }

test('CHT-02 older messages are not announced to screen readers when they are added, and new ones still are', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await insertMessages(server, account, texts)
  await openFiles(page, account)
  await openChat(page)
  await expect(messageCards(page).first()).toContainText('message 29')
  const list = page.getByRole('log')
  await expect(list).toHaveAttribute('aria-live', 'polite')
  await list.evaluate((log) => {
    const liveValues: (string | null)[] = []
    Reflect.set(window, 'liveWhenAdded', liveValues)
    const record = () => liveValues.push(log.getAttribute('aria-live'))
    new MutationObserver(record).observe(log, { childList: true, subtree: true })
  })

  await expect(async () => {
    await page.mouse.wheel(0, 4000)
    expect(await messageCards(page).count()).toBe(30)
  }).toPass()

  const live = await page.evaluate(() => Reflect.get(window, 'liveWhenAdded') as string[])
  expect(live.length).toBeGreaterThan(0)
  expect(new Set(live)).toEqual(new Set(['off']))
  await expect(list).toHaveAttribute('aria-live', 'polite')
})

test('CHT-03 on a phone, older messages load on scrolling up, and the scroll position is kept', async ({
  page,
  server,
}) => {
  await page.setViewportSize(phone)
  const account = await createAccount(server.url)
  await insertMessages(server, account, texts)
  await openFiles(page, account)
  await openChat(page)
  await expect(messageCards(page).last()).toContainText('message 29')
  await expect.poll(() => messageCards(page).count()).toBeGreaterThan(8)
  const countBefore = await messageCards(page).count()

  const anchorCard = messageCards(page)
    .filter({ hasText: firstLine((await shownTexts(page))[1]) })
    .first()
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  const initialTop = await anchorCard.evaluate((card) => card.getBoundingClientRect().top)
  await expect.poll(() => messageCards(page).count()).toBeGreaterThan(countBefore)
  await expect
    .poll(async () => Math.abs((await anchorCard.evaluate((card) => card.getBoundingClientRect().top)) - initialTop))
    .toBeLessThan(120)

  await expect(async () => {
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    expect(await messageCards(page).count()).toBe(30)
  }).toPass()
  await expect(messageCards(page).first()).toContainText('message 0')
})
