import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

/** The page refetches its lists at least this often. */
const pollMs = 60_000

test('files: a row stays the same element while its list changes, is refetched and cannot be fetched', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['one'], 'first.txt'))
  await page.clock.install()
  await openFiles(page, account)
  const button = await fileRow(page, 'first.txt').getByRole('button', { name: 'Download' }).elementHandle()
  await button?.focus()
  const expectSameButton = async () =>
    expect(await button?.evaluate((element) => document.activeElement === element)).toBe(true)

  await account.upload(new File(['two'], 'second.txt'))
  await expect(fileRow(page, 'second.txt')).toBeVisible()
  await expectSameButton()

  const listed = page.waitForResponse('**/api/files')
  await page.clock.runFor(pollMs)
  await (await listed).finished()
  await expectSameButton()

  await page.route('**/api/files', (route) => route.abort())
  const rejected = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/files'))
  await page.clock.runFor(pollMs)
  await rejected
  await expectSameButton()
})
