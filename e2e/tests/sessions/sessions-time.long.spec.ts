import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { expect, test } from '../../support/journey.ts'
import { createSession, joinAsGuest, messageWith, sendSessionMessage } from '../../support/sessions.ts'

test('SES-06 a message reaches the other screen within 300 ms, in the median of 50', async ({
  page,
  server,
  anotherBrowser,
}) => {
  await openFiles(page, await createAccount(server.url))
  const pin = await createSession(page)
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(guest, pin)
  await sendSessionMessage(page, 'first of all')
  await expect(messageWith(guest, 'first of all')).toBeVisible()
  await guest.evaluate(() => {
    const shown: Record<string, number> = {}
    Reflect.set(window, 'shown', shown)
    new MutationObserver(() => {
      for (const item of document.querySelectorAll('[role=log] li')) {
        const name = /number \d+\./.exec(item.textContent)?.[0]
        if (name !== undefined) shown[name] ??= Date.now()
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })

  const delaysMs: number[] = []
  for (let count = 1; count <= 50; count += 1) {
    const name = `number ${count}.`
    await page.getByRole('textbox', { name: 'Message' }).fill(name)
    const sentAt = await page.getByRole('button', { name: 'Send', exact: true }).evaluate((button: HTMLElement) => {
      const now = Date.now()
      button.click()
      return now
    })
    await guest.waitForFunction((key) => key in (Reflect.get(window, 'shown') as object), name)
    const shownAt = await guest.evaluate((key) => (Reflect.get(window, 'shown') as Record<string, number>)[key], name)
    delaysMs.push((shownAt ?? Number.POSITIVE_INFINITY) - sentAt)
    // The rate limit is 5 a second.
    await page.waitForTimeout(Math.max(0, 210 - (delaysMs.at(-1) ?? 0)))
  }
  const median = delaysMs.toSorted((one, other) => one - other)[25] ?? Number.POSITIVE_INFINITY
  console.log(`a message reaches the other screen after ${median} ms, in the median of 50`)
  expect(median).toBeLessThan(300)
})
