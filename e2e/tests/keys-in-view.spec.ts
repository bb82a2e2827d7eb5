import type { Page } from '@playwright/test'
import { createAccount } from '../support/account.ts'
import { startSite } from '../support/foreign-site.ts'
import { expect, test } from '../support/journey.ts'
import { fileRow, keptKeys, signIn } from '../support/people.ts'

test('T036 a link with its key comes to the clipboard and to a QR code only by a press, and leaves the page again', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const account = await createAccount(server.url)
  await account.upload(new File(['plans'], 'plans.txt'), 60)
  const written = await watchClipboard(page)
  const link = /\/s\/[\w-]{22}#[\w-]{48}/
  const row = fileRow(page, 'plans.txt')
  const sheet = page.getByRole('dialog', { name: 'Share by link' })
  await signIn(page, account)
  await expect(row).toBeVisible()
  await page.reload()
  await row.hover()
  await page.bringToFront()

  expect(written).toEqual([])
  expect(await everyText(page)).not.toMatch(link)
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(0)

  await row.getByRole('button', { name: /^Copy Link/ }).click()
  await expect.poll(() => written.length).toBe(1)
  expect(written[0]).toMatch(link)
  expect(await everyText(page)).not.toMatch(link)

  await row
    .getByRole('button', { name: /link options|Share by link|QR/i })
    .first()
    .click()
  await expect(sheet.getByRole('img', { name: 'QR code of the link to plans.txt' })).toBeVisible()
  expect(written).toHaveLength(1)
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(sheet).toHaveCount(0)

  expect(await everyText(page)).not.toMatch(link)
  expect(written).toHaveLength(1)
})

test('T182 what another site says to the page or its workers reaches nobody and gets no answer', async ({
  page,
  context,
  server,
}) => {
  const account = await createAccount(server.url)
  await signIn(page, account)
  await expect.poll(() => keptKeys(page)).toHaveLength(2)
  const other = await startSite('<!doctype html><title>Other</title><p>Elsewhere</p>')
  const foreign = await context.newPage()
  await foreign.goto(other.url)
  const opening = context.waitForEvent('page')

  const isSevered = foreign.evaluate(
    async ({ url, userId }) => {
      const heard: unknown[] = []
      window.addEventListener('message', ({ data }) => heard.push(data))
      const ours = window.open(url)
      for (let count = 0; count < 20; count += 1) {
        for (const data of [{ type: 'keys-wanted', userId, nonce: 'n' }, { type: 'task', id: 1 }, 'connect', null]) {
          ours?.postMessage(data, '*')
        }
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      return { closed: ours?.closed ?? true, heard }
    },
    { url: `${server.url}/`, userId: account.userId },
  )
  const opened = await opening
  await expect(opened.getByRole('heading', { name: /Your Files|Unlock your files/ })).toBeVisible()
  const outcome = await isSevered

  expect(outcome).toEqual({ closed: true, heard: [] })
  expect(await opened.evaluate(() => window.opener)).toBeNull()
  const answered = await page.evaluate(async (userId) => {
    const channel = new BroadcastChannel('sallyport-keys')
    const heard: unknown[] = []
    channel.onmessage = ({ data }) => heard.push(data)
    const data = { type: 'keys-wanted', userId, nonce: 'n' }
    window.dispatchEvent(new MessageEvent('message', { data, origin: 'https://evil.test', source: window }))
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data, origin: 'https://evil.test' }))
    await new Promise((resolve) => setTimeout(resolve, 500))
    channel.close()
    return heard
  }, account.userId)
  expect(answered).toEqual([])
  await other.stop()
})

/** What the page puts on the clipboard, as it does so. */
async function watchClipboard(page: Page): Promise<string[]> {
  const written: string[] = []
  await page.exposeFunction('tellWritten', (text: string) => void written.push(text))
  await page.addInitScript(() => {
    const tell = (text: string) => (Reflect.get(window, 'tellWritten') as (text: string) => void)(text)
    const { write, writeText } = navigator.clipboard
    navigator.clipboard.writeText = (text) => {
      tell(text)
      return writeText.call(navigator.clipboard, text)
    }
    navigator.clipboard.write = async (items) => {
      await write.call(navigator.clipboard, items)
      for (const item of items) tell(await (await item.getType('text/plain')).text())
    }
    document.addEventListener('copy', () => tell(String(getSelection())), true)
  })
  return written
}

/** All the page holds: its markup, and what stands in its fields. */
const everyText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map((field) => Reflect.get(field, 'value'))
    return [document.documentElement.outerHTML, ...fields].join('\n')
  })
