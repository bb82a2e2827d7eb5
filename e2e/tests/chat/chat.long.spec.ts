import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { expect, test } from '../../support/journey.ts'
import { insertMessages, messageCards, messageInput, openChat } from '../../support/messages.ts'

const longText = 'a line that is one of many\n'.repeat(6)

test('CHT-01 500 messages stay smooth: typing does not block the page', async ({ page, server }) => {
  test.setTimeout(600_000)
  const account = await createAccount(server.url)
  await openFiles(page, account)
  await openChat(page)
  await expect(page.getByText('No messages yet')).toBeVisible()
  const type = () => messageInput(page).pressSequentially('typed among many '.repeat(2), { delay: 40 })
  const measureRounds = async () => [
    await measureBlockedMs(page, type),
    await measureBlockedMs(page, type),
    await measureBlockedMs(page, type),
  ]
  const baselineMs = await measureRounds()
  await insertMessages(
    server,
    account,
    Array.from({ length: 500 }, (_, index) => `${index} ${longText}`),
  )
  await page.reload()
  await expect(messageCards(page)).toHaveCount(500, { timeout: 240_000 })

  const maxMs = Math.max(50, 3 * Math.min(...baselineMs))
  const measuredMs = await measureRounds()
  // Other load on the machine can only increase the time.
  while (measuredMs.length < 10 && Math.min(...measuredMs) >= maxMs) measuredMs.push(await measureBlockedMs(page, type))
  console.log(
    `typing blocks the page for ${baselineMs.join(', ')} ms, among 500 messages for ${measuredMs.join(', ')} ms`,
  )

  // The empty chat is the baseline for a slow or busy machine.
  expect(Math.min(...measuredMs)).toBeLessThan(maxMs)
})

/** The longest time in whole milliseconds for which the work blocks the page. */
async function measureBlockedMs(page: Page, action: () => Promise<void>): Promise<number> {
  const probe = await page.evaluateHandle(() => {
    let lastMs = performance.now()
    let longestMs = 0
    const measure = () => {
      const now = performance.now()
      longestMs = Math.max(longestMs, now - lastMs)
      lastMs = now
    }
    const timer = setInterval(measure, 1)
    return () => {
      clearInterval(timer)
      measure()
      return Math.round(longestMs)
    }
  })
  await action()
  return probe.evaluate((stop) => stop())
}
