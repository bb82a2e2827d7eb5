import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { fileRow, signIn, storedKeys } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'
import { startForeignSite } from '../../support/network/foreign-site.ts'

test('T036 a link with its key reaches the clipboard and a QR code only on a click, and leaves the page again', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const account = await createAccount(server.url)
  await account.upload(new File(['plans'], 'plans.txt'), 60)
  const clipboardWrites = await recordClipboard(page)
  const link = /\/s\/[\w-]{22}#[\w-]{48}/
  const row = fileRow(page, 'plans.txt')
  const sheet = page.getByRole('dialog', { name: 'Share by link' })
  await signIn(page, account)
  await expect(row).toBeVisible()
  await page.reload()
  await row.hover()
  await page.bringToFront()

  expect(clipboardWrites).toEqual([])
  expect(await readPageText(page)).not.toMatch(link)
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(0)

  await row.getByRole('button', { name: /^Copy Link/ }).click()
  await expect.poll(() => clipboardWrites.length).toBe(1)
  expect(clipboardWrites[0]).toMatch(link)
  expect(await readPageText(page)).not.toMatch(link)

  await row
    .getByRole('button', { name: /link options|Share by link|QR/i })
    .first()
    .click()
  await expect(sheet.getByRole('img', { name: 'QR code of the link to plans.txt' })).toBeVisible()
  expect(clipboardWrites).toHaveLength(1)
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toHaveCount(0)

  expect(await readPageText(page)).not.toMatch(link)
  expect(clipboardWrites).toHaveLength(1)
})

test('T182 messages of another site reach neither the page nor its workers', async ({ page, context, server }) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await expect.poll(() => storedKeys(page)).toHaveLength(2)
  const other = await startForeignSite('<!doctype html><title>Other</title><p>Elsewhere</p>')
  const foreign = await context.newPage()
  await foreign.goto(other.url)
  const popupOpened = context.waitForEvent('page')

  const popupResult = foreign.evaluate(
    async ({ url, userId }) => {
      const received: unknown[] = []
      window.addEventListener('message', ({ data }) => received.push(data))
      const popup = window.open(url)
      for (let count = 0; count < 20; count += 1) {
        for (const data of [{ type: 'keys-wanted', userId, nonce: 'n' }, { type: 'task', id: 1 }, 'connect', null]) {
          popup?.postMessage(data, '*')
        }
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      return { closed: popup?.closed ?? true, received }
    },
    { url: `${server.url}/`, userId: account.userId },
  )
  const popupPage = await popupOpened
  await expect(popupPage.getByRole('heading', { name: /Your Files|Unlock your files/ })).toBeVisible()
  const result = await popupResult

  expect(result).toEqual({ closed: true, received: [] })
  expect(await popupPage.evaluate(() => window.opener)).toBeNull()
  const replies = await page.evaluate(async (userId) => {
    const channel = new BroadcastChannel('sallyport-keys')
    const received: unknown[] = []
    channel.onmessage = ({ data }) => received.push(data)
    const data = { type: 'keys-wanted', userId, nonce: 'n' }
    window.dispatchEvent(new MessageEvent('message', { data, origin: 'https://evil.test', source: window }))
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data, origin: 'https://evil.test' }))
    await new Promise((resolve) => setTimeout(resolve, 500))
    channel.close()
    return received
  }, account.userId)
  expect(replies).toEqual([])
  await other.stop()
})

/** Records what the page writes to the clipboard. */
async function recordClipboard(page: Page): Promise<string[]> {
  const clipboardWrites: string[] = []
  await page.exposeFunction('tellWritten', (text: string) => void clipboardWrites.push(text))
  await page.addInitScript(() => {
    const report = (text: string) => (Reflect.get(window, 'tellWritten') as (text: string) => void)(text)
    const { write, writeText } = navigator.clipboard
    navigator.clipboard.writeText = (text) => {
      report(text)
      return writeText.call(navigator.clipboard, text)
    }
    navigator.clipboard.write = async (items) => {
      await write.call(navigator.clipboard, items)
      for (const item of items) report(await (await item.getType('text/plain')).text())
    }
    document.addEventListener('copy', () => report(String(getSelection())), true)
  })
  return clipboardWrites
}

/** The markup of the page and the values of its fields. */
const readPageText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map((field) => Reflect.get(field, 'value'))
    return [document.documentElement.outerHTML, ...fields].join('\n')
  })
