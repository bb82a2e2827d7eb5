import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { fileRow } from '../../support/account/users.ts'
import { checkAccessibility } from '../../support/browser/check-accessibility.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { expectToast } from '../../support/browser/toasts.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { expect, test } from '../../support/journey.ts'

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Share by link' })
const linkField = (page: Page) => sheet(page).getByRole('textbox', { name: 'Share link' })

test('SHR-01 a link is limited to 1 download and labelled; its owner sees its use, and the next visitor is too late', async ({
  page,
  folder,
  server,
  anotherBrowser,
}) => {
  await signInWithFile(page, server.url, 'plans.txt')
  const bodies: string[] = []
  page.on('request', (request) => bodies.push(request.postData() ?? ''))

  await openSheet(page, 'plans.txt')
  await expect(linkField(page)).toHaveValue(new RegExp(`^${server.url}/s/[\\w-]{22}#[\\w-]{48}$`))
  await expect(sheet(page).getByRole('img', { name: 'QR code of the link to plans.txt' })).toBeVisible()
  await expect(sheet(page).getByText('Not downloaded yet')).toBeVisible()
  await sheet(page).getByRole('combobox', { name: 'Downloads allowed' }).selectOption('1 download')
  await sheet(page).getByRole('textbox', { name: 'Private label' }).fill('For Mara, the builder')
  await page.keyboard.press('Enter')
  await expect.poll(() => bodies.filter((body) => body.includes('"label":"')).length).toBe(1)
  const link = await linkField(page).inputValue()

  const recipient = await (await anotherBrowser()).newPage()
  await recipient.goto(link)
  const saved = await saveDownload(recipient, folder, () => recipient.getByRole('button', { name: 'Download' }).click())
  expect(saved.name).toBe('plans.txt')
  await expect(
    sheet(page).getByText(/^Downloaded once, last .*\. This link has reached its download limit\./),
  ).toBeVisible()

  const latePage = await (await anotherBrowser()).newPage()
  await latePage.goto(link)
  await expect(latePage.getByRole('heading', { name: 'File not found or expired' })).toBeVisible()
  await expect(recipient.getByText('Saved to your downloads')).toBeVisible()
  await expect(recipient.getByText('This link has reached its download limit.')).toBeVisible()
  await expect(recipient.getByRole('button', { name: 'Download again' })).toHaveCount(0)

  await page.reload()
  await openSheet(page, 'plans.txt')
  await expect(linkField(page)).toHaveValue(link)
  await expect(sheet(page).getByRole('combobox', { name: 'Downloads allowed' })).toHaveValue('1')
  await expect(sheet(page).getByRole('textbox', { name: 'Private label' })).toHaveValue('For Mara, the builder')
  await sheet(page).getByRole('combobox', { name: 'Downloads allowed' }).selectOption('No limit')
  await expect(sheet(page).getByText('This link has reached its download limit.')).toHaveCount(0)
  await latePage.reload()
  await expect(latePage.getByRole('button', { name: 'Download' })).toBeVisible()
  expect(bodies.join()).not.toContain('Mara')
})

test('SHR-01 the sheet says when the link expires, and changes it there', async ({ page, server }) => {
  await signInWithFile(page, server.url, 'plans.txt')
  await openSheet(page, 'plans.txt')
  await expect(sheet(page).getByText('The link works as long as the file is kept:')).toBeVisible()

  await sheet(page)
    .getByRole('button', { name: /^0h \d+m remaining/ })
    .click()
  await page.getByRole('menuitem', { name: '12 hours' }).click()

  await expect(sheet(page).getByRole('button', { name: /^1[12]h \d+m remaining/ })).toBeVisible()
})

test('SHR-01 sharing is stopped after confirmation, in every tab, and a new link has another URL', async ({
  page,
  context,
  server,
  anotherBrowser,
}) => {
  await signInWithFile(page, server.url, 'plans.txt')
  const second = await context.newPage()
  await second.goto('/')
  await openSheet(page, 'plans.txt')
  await expect(linkField(page)).toHaveValue(/#/)
  const link = await linkField(page).inputValue()
  await expect(fileRow(second, 'plans.txt').getByText('Shared', { exact: true })).toBeVisible()
  await openSheet(second, 'plans.txt')

  await sheet(page).getByRole('button', { name: 'Stop sharing' }).click()
  const question = page.getByRole('alertdialog', { name: 'Stop sharing?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Stop sharing' }).click()

  await expectToast(page, 'The link no longer works')
  for (const tab of [page, second]) {
    await expect(sheet(tab)).toHaveCount(0)
    await expect(fileRow(tab, 'plans.txt').getByText('Shared', { exact: true })).toHaveCount(0)
  }
  const recipient = await (await anotherBrowser()).newPage()
  await recipient.goto(link)
  await expect(recipient.getByRole('heading', { name: 'File not found or expired' })).toBeVisible()
  await openSheet(page, 'plans.txt')
  await expect(linkField(page)).toHaveValue(/#/)
  expect(await linkField(page).inputValue()).not.toBe(link)
})

test('SHR-05 a failure to create a link shows its status and is retried', async ({ page, server }) => {
  await signInWithFile(page, server.url, 'plans.txt')
  await page.route('**/share-zk', (route) => route.fulfill({ status: 403, body: '' }))

  await openSheet(page, 'plans.txt')
  await expect(sheet(page).getByText('Failed to create zero-knowledge share link: 403')).toBeVisible()
  await page.unroute('**/share-zk')
  await sheet(page).getByRole('button', { name: 'Retry' }).click()

  await expect(linkField(page)).toHaveValue(/#/)
})

test('the share sheet is accessible in both themes and sizes, by keyboard alone', async ({ page, server }) => {
  await signInWithFile(page, server.url, 'plans.txt')
  const opener = fileRow(page, 'plans.txt').getByRole('button', { name: 'Share by link' })
  await opener.press('Enter')
  await expect(linkField(page)).toBeVisible()

  await expectAccessible(page, 'share sheet', ['region'])
  for (const size of [
    { width: 1280, height: 860 },
    { width: 390, height: 844 },
    { width: 320, height: 640 },
  ]) {
    await page.setViewportSize(size)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
  }
  expect(await checkAccessibility(page, { excludedRules: ['region'] }), '320 wide').toEqual([])
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.keyboard.press('Escape')
  await opener.press('Enter')
  await expect(linkField(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('FIL-18 the link is sent through the device’s own share sheet, without the name of the file', async ({
    page,
    server,
  }) => {
    await page.addInitScript(() => {
      const shared: object[] = []
      Object.assign(window, { shared })
      Object.assign(navigator, { canShare: () => true, share: async (what: object) => void shared.push(what) })
    })
    await signInWithFile(page, server.url, 'plans.txt')

    await fileRow(page, 'plans.txt').getByRole('button', { name: 'More for plans.txt' }).tap()
    await page.getByRole('menuitem', { name: 'Share by link' }).tap()
    await expect(linkField(page)).toHaveValue(/#/)
    const link = await linkField(page).inputValue()
    await sheet(page).getByRole('button', { name: 'Send' }).tap()

    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'shared'))).toEqual([{ url: link }])
  })
})

interface FilesResponse {
  readonly files: readonly Record<'id' | 'originalName' | 'encryptedFileKey', string>[]
}

/** Lists each file under the id of the next one; all are marked as shared, so that no sheet closes for lack of a link. */
function swapFileIds({ files, ...rest }: FilesResponse) {
  const nextIdOf = (index: number) => files[(index + 1) % files.length]?.id
  return { ...rest, files: files.map((file, index) => ({ ...file, id: nextIdOf(index), shared: true })) }
}

test('SHR-01 a file listed under the id of another one closes the share sheet', async ({ page, server }) => {
  const account = await createAccount(server.url)
  for (const name of ['plans.txt', 'taxes.txt']) await account.upload(new File([name], name), 60)
  await openFiles(page, account)
  await openSheet(page, 'plans.txt')
  await expect(linkField(page)).toHaveValue(/#/)
  await page.route('**/api/files', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: swapFileIds(await response.json()) })
  })

  await expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await expect(sheet(page)).toHaveCount(0, { timeout: 500 })
  }).toPass({ timeout: 120_000 })
})

async function signInWithFile(page: Page, url: string, name: string): Promise<void> {
  const account = await createAccount(url)
  await account.upload(new File(['hello'], name), 60)
  await openFiles(page, account)
  await expect(fileRow(page, name)).toBeVisible()
}

const openSheet = (page: Page, name: string): Promise<void> =>
  fileRow(page, name).getByRole('button', { name: 'Share by link' }).click()
