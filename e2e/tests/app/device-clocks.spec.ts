import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { fileRow, signIn } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'
import { checkTimedScreens } from '../../support/timed-screens.ts'

const minute = 60_000
const hour = 60 * minute

test('every screen shows the server’s time on a device 6 min ahead, in a wrong zone, and after its clock was set', async ({
  server,
  folder,
  anotherBrowser,
}) => {
  const jumps = [3 * hour, -3 * hour]
  await checkTimedScreens({
    server,
    folder,
    anotherBrowser,
    aheadMs: 6 * minute,
    jumps,
    timezoneId: 'Pacific/Kiritimati',
  })
})

test('a false Date of a proxy hides nothing that the server lists', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['still here'], 'listed.txt'), 60)
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers(), date: new Date(Date.now() + 24 * hour).toUTCString() }
    await route.fulfill({ response, headers })
  })

  await signIn(page, account)

  await expect(fileRow(page, 'listed.txt').getByText(/^(1h 0m|0h 59m) remaining$/)).toBeVisible()
  await expect(fileRow(page, 'listed.txt').getByRole('button', { name: /^Copy Link/ })).toBeEnabled()
})

test('SHR-03 a share page asks again when its file expires, and offers no download of an expired one', async ({
  page,
  server,
}) => {
  const { call, upload, accountKey } = await createAccount(server.url)
  const id = await upload(new File(['soon gone'], 'brief.txt'), 1)
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  await page.clock.install()
  await page.goto(await shareFile(call, { id, encryptedFileKey, accountKey, origin: server.url }))
  await expect(page.getByText(/^0h [01]m remaining$/)).toBeVisible()

  await server.setClock(62_000)
  await page.clock.fastForward(62_000)

  await expect(page.getByRole('heading', { name: 'File not found or expired' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download' })).toBeHidden()
})
