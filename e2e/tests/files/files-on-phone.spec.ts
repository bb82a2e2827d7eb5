import type { Page } from '@playwright/test'
import { type Account, createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { dropZone, fileRow } from '../../support/account/users.ts'
import { checkAccessibility } from '../../support/browser/check-accessibility.ts'
import { pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { expectToast } from '../../support/browser/toasts.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makePng } from '../../support/files/png.ts'
import { expect, test } from '../../support/journey.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const minuteMs = 60_000

test('SHL-11 FIL-18 a phone lists files by name with size and time left, and deletes one or all after confirmation', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  for (const name of ['beach.txt', 'IMG_10.txt', 'Alps.txt', 'IMG_2.txt'])
    await account.upload(new File(['x'], name), 60)
  await openFiles(page, account)

  await expect(dropZone(page)).toContainText('Tap to browse files, or paste from clipboard')
  const rows = page.getByRole('region', { name: 'Your Files' }).getByRole('listitem')
  await expect(rows).toContainText(['Alps.txt', 'beach.txt', 'IMG_2.txt', 'IMG_10.txt'])
  await expect(fileRow(page, 'Alps.txt').getByText('1 Bytes')).toBeVisible()
  await expect(fileRow(page, 'Alps.txt').getByText(/^Expires in (1h 0m|0h 59m)$/)).toBeVisible()

  const dialog = page.getByRole('alertdialog')
  await fileRow(page, 'beach.txt').getByRole('button', { name: 'Delete beach.txt' }).tap()
  await expect(dialog.getByRole('heading', { name: 'Delete File?' })).toBeVisible()
  await expect(dialog).toContainText('Are you sure you want to delete this file? This action cannot be undone.')
  await dialog.getByRole('button', { name: 'Delete' }).tap()
  await expect(fileRow(page, 'beach.txt')).toHaveCount(0)

  await page.getByRole('button', { name: 'All, delete' }).tap()
  await expect(dialog).toContainText('Are you sure you want to delete all files? This action cannot be undone.')
  await dialog.getByRole('button', { name: 'Delete' }).tap()
  await expectToast(page, '3 files deleted')
  await expect(page.getByText('Upload files to see them here')).toBeVisible()
})

test('FIL-18 copying a link shows its progress', async ({ page, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signInWithFile(page, server.url, 'lease.txt')
  const release = await holdRequests(page, '**/api/file/*/share-zk')

  await fileRow(page, 'lease.txt').getByRole('button', { name: 'Copy link' }).tap()
  await expect(page.getByText('Generating link...', { exact: true })).toBeVisible()
  release()
  await expectToast(page, 'Link copied to clipboard!')

  await expect(page.getByText('Generating link...', { exact: true })).toHaveCount(0)
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(new RegExp(`^${server.url}/s/[\\w-]{22}#[\\w-]{48}$`))
})

test('SHL-11 CHT-03 a toast stays above the message field, however high it grows', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const account = await createAccount(server.url)
  await account.upload(new File(['x'], 'lease.txt'), 60)
  await page.clock.install()
  await openFiles(page, account)
  await expect(fileRow(page, 'lease.txt')).toBeVisible()
  await pauseClock(page)
  await fileRow(page, 'lease.txt').getByRole('button', { name: 'Copy link' }).tap()
  const toast = page.getByText('Link copied to clipboard!', { exact: true })
  await stepUntilVisible(toast)
  await page.clock.resume()
  await toast.hover()

  await page.getByRole('link', { name: 'Chat', exact: true }).press('Enter')
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill('one\ntwo\nthree\nfour\nfive\nsix')

  await expect
    .poll(async () => {
      const [toastBox, box] = await Promise.all([toast.boundingBox(), message.boundingBox()])
      return toastBox !== null && box !== null && toastBox.y + toastBox.height <= box.y
    })
    .toBe(true)
})

test('FIL-18 without clipboard access the link is shown for copying by hand', async ({ page, server }) => {
  await page.addInitScript(() => {
    const reject = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    Object.assign(navigator.clipboard, { write: reject, writeText: reject })
  })
  await signInWithFile(page, server.url, 'lease.txt')

  await fileRow(page, 'lease.txt').getByRole('button', { name: 'Copy link' }).tap()

  const sheet = page.getByRole('dialog', { name: 'Could not copy text.' })
  await expectToast(page, 'Link ready to share!')
  await expect(sheet.getByRole('textbox', { name: 'Tap and hold to copy the link' })).toHaveValue(/\/s\/[\w-]{22}#/)
  expect(await checkAccessibility(page, { excludedRules: ['region'] })).toEqual([])
  await sheet.getByRole('button', { name: 'Copy' }).tap()
  await expectToast(page, 'Copied to clipboard!')
  await expect(sheet).toBeHidden()
})

test('FIL-19 only images and videos are saved to the camera roll; for other files the button explains why not', async ({
  page,
  server,
  folder,
}) => {
  await signInWithFile(page, server.url, 'lease.pdf')

  await fileRow(page, 'lease.pdf').getByRole('button', { name: 'Save lease.pdf to camera roll' }).tap()
  await expectToast(
    page,
    'Only images and videos can be saved to Camera Roll. Use the download button for other file types.',
  )

  await fileRow(page, 'lease.pdf').getByRole('button', { name: 'More for lease.pdf' }).tap()
  const saved = await saveDownload(page, folder, () => page.getByRole('menuitem', { name: 'Download' }).tap())
  expect(saved.name).toBe('lease.pdf')
})

test('FIL-19 an image goes to the share sheet with its name and a safe type, and is downloaded where there is none', async ({
  page,
  server,
  folder,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File([makePng(4, 4, [200, 120, 40])], 'IMG_1.png', { type: 'text/html' }), 60)
  await openFiles(page, account)
  const save = page.getByRole('button', { name: 'Save IMG_1.png to camera roll' })

  const saved = await saveDownload(page, folder, () => save.tap())
  expect(saved.name).toBe('IMG_1.png')

  await offerShareSheet(page, ['NotAllowedError', null])
  await save.tap()
  await expect(page.getByText('IMG_1.png is ready to save')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).tap()
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, 'shared')))
    .toEqual([{ name: 'IMG_1.png', type: 'image/png', size: expect.any(Number) }])
})

test('FIL-18 FIL-19 an image being saved to the camera roll shows progress and can be cancelled', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File([makePng(4, 4, [200, 120, 40])], 'IMG_1.png'), 60)
  await openFiles(page, account)
  await page.route('**/api/download/*', () => undefined)

  await page.getByRole('button', { name: 'Save IMG_1.png to camera roll' }).tap()
  await expect(page.getByRole('progressbar', { name: 'Decrypting IMG_1.png' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel download of IMG_1.png' }).tap()

  await expect(page.getByRole('region', { name: 'Downloads' })).toHaveCount(0)
})

test('FIL-18 tapping the name of another file downloads it', async ({ page, server, folder }) => {
  await signInWithFile(page, server.url, 'lease.txt')

  const saved = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download lease.txt' }).tap())

  expect(saved.name).toBe('lease.txt')
})

test('FIL-10 FIL-11 the expiry of a file is extended in its row, and another tab shows it', async ({
  page,
  context,
  server,
}) => {
  await signInWithFile(page, server.url, 'short.txt')
  const second = await context.newPage()
  await second.goto('/')
  await expect(fileRow(second, 'short.txt')).toBeVisible()

  await fileRow(page, 'short.txt')
    .getByRole('button', { name: /change how long short.txt is kept/ })
    .tap()
  const release = await holdRequests(page, '**/api/file/*')
  await page.getByRole('menuitem', { name: '3 days' }).tap()
  await expect(page.getByRole('menu')).toHaveCount(0)
  release()

  await expectToast(page, 'Expires in 3 days')
  for (const tab of [page, second])
    await expect(fileRow(tab, 'short.txt').getByText(/^Expires in 7[12]h/)).toBeVisible()
  await server.setClock(61 * minuteMs)
  await page.reload()
  await expect(fileRow(page, 'short.txt')).toBeVisible()
})

async function signInWithFile(page: Page, url: string, name: string): Promise<Account> {
  const account = await createAccount(url)
  await account.upload(new File(['hello'], name), 60)
  await openFiles(page, account)
  await expect(fileRow(page, name)).toBeVisible()
  return account
}

async function holdRequests(page: Page, address: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Installs a fake share sheet, as Chromium has none here: it gives the preset answers and records what it receives. */
async function offerShareSheet(page: Page, answers: readonly (string | null)[]): Promise<void> {
  await page.evaluate(
    (errorNames) => {
      const shared: object[] = []
      Object.assign(window, { shared })
      Object.assign(navigator, {
        canShare: () => true,
        async share({ files }: { files: File[] }) {
          const errorName = errorNames.shift()
          if (errorName) {
            Object.defineProperty(navigator, 'userActivation', { value: { isActive: false }, configurable: true })
            throw new DOMException('', errorName)
          }
          shared.push(...files.map(({ name, type, size }) => ({ name, type, size })))
        },
      })
    },
    [...answers],
  )
}
