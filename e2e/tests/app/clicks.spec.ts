import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow } from '../../support/account/users.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import { acceptFile, directConnectionOptions, openPortal, sendFiles } from '../../support/portals/portals.ts'

test.use({ launchOptions: directConnectionOptions })

/** Counts the clicks of the user on a page that is open, also across its screens. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { clickCount: 0 })
    // Enter clicks the button of its form as well, with a `detail` of 0.
    const count = (event: MouseEvent) => {
      if (event.isTrusted && event.detail > 0)
        Object.assign(window, { clickCount: Reflect.get(window, 'clickCount') + 1 })
    }
    document.addEventListener('click', count, { capture: true })
  })
  return () => page.evaluate(() => Number(Reflect.get(window, 'clickCount')))
}

test('FIL-18 a link to a new file is copied with at most 2 clicks', async ({ page, context, folder, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openFiles(page, await createAccount(server.url))
  const file = await makeRandomFile({ folder, name: 'contract.pdf', bytes: 10_000 })
  const clicks = await countClicks(page)

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose Files' }).click(),
  ])
  await chooser.setFiles(file.path)
  await fileRow(page, file.name).getByRole('button', { name: 'Copy Link' }).click()

  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/s\/.+#/)
  expect(await clicks()).toBeLessThanOrEqual(2)
})

test('POR-01 a file goes to another device by portal with at most 3 clicks on each side', async ({
  page,
  anotherBrowser,
  folder,
  server,
}) => {
  const other = await (await anotherBrowser({ baseURL: server.url })).newPage()
  for (const one of [page, other]) await openFiles(one, await createAccount(server.url))
  const file = await makeRandomFile({ folder, name: 'contract.pdf', bytes: 10_000 })
  const [clicks, otherClicks] = [await countClicks(page), await countClicks(other)]

  await page.getByRole('link', { name: 'Portal', exact: true }).click()
  const code = await openPortal(page)
  await other.getByRole('link', { name: 'Portal', exact: true }).click()
  await other.getByRole('textbox', { name: 'Portal code' }).click()
  await other.keyboard.type(code)
  await other.keyboard.press('Enter')
  await expect(other.getByText('Ready to send or receive files')).toBeVisible()
  await sendFiles(page, [file.path])
  expect((await acceptFile(other, folder)).sha256).toBe(file.sha256)

  expect(await clicks()).toBeLessThanOrEqual(3)
  expect(await otherClicks()).toBeLessThanOrEqual(3)
})
