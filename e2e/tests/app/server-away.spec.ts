import { createAccount } from '../../support/account/account.ts'
import { openFiles, openNewAccount } from '../../support/account/open-files.ts'
import { fileRow } from '../../support/account/users.ts'
import { areas } from '../../support/areas.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { messageCards, messageInput, openChat } from '../../support/messages.ts'
import { startHostileProxy } from '../../support/network/hostile-proxy.ts'
import { waitForAttempts } from '../../support/network/outage.ts'
import { expect, test } from '../../support/network/proxied-journey.ts'

const away = 'Can’t reach the server. Transfers continue when it is back.'

/** Such a page loads no screen before it is opened. */
const saveData = () => Object.defineProperty(Reflect.get(navigator, 'connection'), 'saveData', { value: true })

test('a screen opened for the first time while offline leaves the bar, and appears once the network is back', async ({
  page,
  context,
}) => {
  await page.addInitScript(saveData)
  await openNewAccount(page)
  await context.setOffline(true)
  await expect(page.getByText('You’re offline. Transfers are paused.')).toBeVisible()

  for (const [link, heading] of [
    ['Chat', 'Chat'],
    ['Sessions', 'Sessions'],
  ] as const) {
    await areas(page).getByRole('link', { name: link }).click()
    await expect(page.getByText('Loading…')).toBeVisible()
    await expect(page.getByText('Something went wrong')).toHaveCount(0)
    await expect(areas(page)).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('Loading…')).toHaveCount(0)
    await expect(page).toHaveTitle(new RegExp(heading))
    await context.setOffline(true)
  }
})

test('FIL-09 SHR-05 while the server is away an upload, a download and the share sheet wait, and nothing has to be pressed', async ({
  page,
  server,
  folder,
  throughProxy,
}) => {
  const proxy = await startHostileProxy(server.url, { maxBytesPerSecond: 4_000_000 })
  throughProxy(proxy, proxy.close)
  const account = await createAccount(server.url)
  await account.upload(new File(['to be shared'], 'shared.txt'), 60)
  const large = await makeRandomFile({ folder, name: 'large.bin', bytes: 24_000_000 })
  await openFiles(page, account, proxy.url)
  await expect(fileRow(page, 'shared.txt')).toBeVisible()
  await page.locator('input[type=file]').first().setInputFiles(large.path)
  await expect(page.getByRole('progressbar', { name: /large\.bin/ })).toBeVisible()

  const reconnect = proxy.disconnect()
  await expect(page.getByText(away)).toBeVisible()
  await expect(page.getByText('Waiting for the server', { exact: true })).toBeVisible()
  await fileRow(page, 'shared.txt').getByRole('button', { name: 'Share by link' }).click()
  // The chunks and the link of the share sheet are requested in parallel, and so is whether the server is back.
  await waitForAttempts(proxy.rejectedConnections, 15)
  await expect(page.getByText('Something went wrong')).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  reconnect()

  await expect(page.getByRole('dialog', { name: 'Share by link' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText(away)).toHaveCount(0)
  await expect(fileRow(page, 'large.bin')).toBeVisible({ timeout: 240_000 })
  const saved = await saveDownload(page, folder, () =>
    fileRow(page, 'large.bin').getByRole('button', { name: 'Download' }).click(),
  )
  expect(saved.sha256).toBe(large.sha256)
})

test('CHT-04 a message that is sent while the server is away is shown as being sent until it is stored', async ({
  page,
  context,
}) => {
  await openNewAccount(page)
  let isAway = true
  await context.route('**/api/**', (route) => (isAway ? route.abort() : route.continue()))
  await openChat(page)
  await expect(page.getByText(away)).toBeVisible()

  await messageInput(page).fill('written meanwhile')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(messageCards(page)).toHaveCount(1)
  await expect(messageCards(page)).toHaveAttribute('aria-busy', 'true')
  isAway = false

  await expect(messageCards(page)).not.toHaveAttribute('aria-busy')
  await expect(messageCards(page)).toHaveCount(1)
  await page.reload()
  await expect(messageCards(page)).toHaveCount(1)
})
