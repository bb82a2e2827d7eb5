import type { Page } from '@playwright/test'
import { type Account, createAccount } from '../support/account.ts'
import { checkAccessibility } from '../support/check-accessibility.ts'
import { saveDownload } from '../support/downloads.ts'
import { expect, test } from '../support/journey.ts'
import { dropZone, fileRow, signIn } from '../support/people.ts'
import { makePng } from '../support/pictures.ts'
import { stepUntilVisible, stopTime } from '../support/stopped-time.ts'
import { expectToast } from '../support/toasts.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

const minuteMs = 60_000

test('SHL-11 FIL-18 a phone lists files by name with size and time left, and deletes one or all of them after a question', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  for (const name of ['beach.txt', 'IMG_10.txt', 'Alps.txt', 'IMG_2.txt'])
    await account.upload(new File(['x'], name), 60)
  await signIn(page, account)

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

test('FIL-18 a link is copied with a word about how far it is', async ({ page, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await withFile(page, server.url, 'lease.txt')
  const letGo = await holdBack(page, '**/api/file/*/share-zk')

  await fileRow(page, 'lease.txt').getByRole('button', { name: 'Copy link' }).tap()
  await expect(page.getByText('Generating link...', { exact: true })).toBeVisible()
  letGo()
  await expectToast(page, 'Link copied to clipboard!')

  await expect(page.getByText('Generating link...', { exact: true })).toHaveCount(0)
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(new RegExp(`^${server.url}/s/[\\w-]{22}#[\\w-]{48}$`))
})

test('SHL-11 CHT-03 a toast stands above the box that is written in, however high that has grown', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const account = await createAccount(server.url)
  await account.upload(new File(['x'], 'lease.txt'), 60)
  await page.clock.install()
  await signIn(page, account)
  await expect(fileRow(page, 'lease.txt')).toBeVisible()
  await stopTime(page)
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
      const [over, box] = await Promise.all([toast.boundingBox(), message.boundingBox()])
      return over !== null && box !== null && over.y + over.height <= box.y
    })
    .toBe(true)
})

test('FIL-18 where the browser keeps pages from the clipboard, the link lies ready to be copied by hand', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    Object.assign(navigator.clipboard, { write: refuse, writeText: refuse })
  })
  await withFile(page, server.url, 'lease.txt')

  await fileRow(page, 'lease.txt').getByRole('button', { name: 'Copy link' }).tap()

  const sheet = page.getByRole('dialog', { name: 'Could not copy text.' })
  await expectToast(page, 'Link ready to share!')
  await expect(sheet.getByRole('textbox', { name: 'Tap and hold to copy the link' })).toHaveValue(/\/s\/[\w-]{22}#/)
  expect(await checkAccessibility(page, ['region'])).toEqual([])
  await sheet.getByRole('button', { name: 'Copy' }).tap()
  await expectToast(page, 'Copied to clipboard!')
  await expect(sheet).toBeHidden()
})

test('FIL-19 only pictures and films go to the camera roll; of other files the button says why not', async ({
  page,
  server,
  folder,
}) => {
  await withFile(page, server.url, 'lease.pdf')

  await fileRow(page, 'lease.pdf').getByRole('button', { name: 'Save lease.pdf to camera roll' }).tap()
  await expectToast(
    page,
    'Only images and videos can be saved to Camera Roll. Use the download button for other file types.',
  )

  await fileRow(page, 'lease.pdf').getByRole('button', { name: 'More for lease.pdf' }).tap()
  const saved = await saveDownload(page, folder, () => page.getByRole('menuitem', { name: 'Download' }).tap())
  expect(saved.name).toBe('lease.pdf')
})

test('FIL-19 a picture is handed to the device’s share sheet under its name and a type of ours, and downloaded where there is none', async ({
  page,
  server,
  folder,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File([makePng(4, 4, [200, 120, 40])], 'IMG_1.png', { type: 'text/html' }), 60)
  await signIn(page, account)
  const save = page.getByRole('button', { name: 'Save IMG_1.png to camera roll' })

  const saved = await saveDownload(page, folder, () => save.tap())
  expect(saved.name).toBe('IMG_1.png')

  await offerShareSheet(page, ['NotAllowedError', null])
  await save.tap()
  await expect(page.getByText('IMG_1.png is ready to be saved')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).tap()
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, 'shared')))
    .toEqual([{ name: 'IMG_1.png', type: 'image/png', size: expect.any(Number) }])
})

test('FIL-18 FIL-19 a picture that is on its way to the camera roll shows how far it is, and can be cancelled', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  await account.upload(new File([makePng(4, 4, [200, 120, 40])], 'IMG_1.png'), 60)
  await signIn(page, account)
  await page.route('**/api/download/*', () => undefined)

  await page.getByRole('button', { name: 'Save IMG_1.png to camera roll' }).tap()
  await expect(page.getByRole('progressbar', { name: 'Unsealing IMG_1.png' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel download of IMG_1.png' }).tap()

  await expect(page.getByRole('region', { name: 'Downloads' })).toHaveCount(0)
})

test('FIL-18 a tap on the name of any other file downloads it', async ({ page, server, folder }) => {
  await withFile(page, server.url, 'lease.txt')

  const saved = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download lease.txt' }).tap())

  expect(saved.name).toBe('lease.txt')
})

test('FIL-10 FIL-11 a file is given a longer life where its time is shown, and another tab sees it', async ({
  page,
  context,
  server,
}) => {
  await withFile(page, server.url, 'short.txt')
  const second = await context.newPage()
  await second.goto('/')
  await expect(fileRow(second, 'short.txt')).toBeVisible()

  await fileRow(page, 'short.txt')
    .getByRole('button', { name: /change how long short.txt is kept/ })
    .tap()
  const letGo = await holdBack(page, '**/api/file/*')
  await page.getByRole('menuitem', { name: '3 days' }).tap()
  await expect(page.getByRole('menu')).toHaveCount(0)
  letGo()

  await expectToast(page, 'Expires in 3 days')
  for (const tab of [page, second])
    await expect(fileRow(tab, 'short.txt').getByText(/^Expires in 7[12]h/)).toBeVisible()
  await server.setClock(61 * minuteMs)
  await page.reload()
  await expect(fileRow(page, 'short.txt')).toBeVisible()
})

async function withFile(page: Page, url: string, name: string): Promise<Account> {
  const account = await createAccount(url)
  await account.upload(new File(['hello'], name), 60)
  await signIn(page, account)
  await expect(fileRow(page, name)).toBeVisible()
  return account
}

async function holdBack(page: Page, address: string): Promise<() => void> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}

/** Chromium has no share sheet of its own here: one that answers a press as it is told, and keeps what it was given. */
async function offerShareSheet(page: Page, answers: readonly (string | null)[]): Promise<void> {
  await page.evaluate(
    (refusals) => {
      const shared: object[] = []
      Object.assign(window, { shared })
      Object.assign(navigator, {
        canShare: () => true,
        async share({ files }: { files: File[] }) {
          const refusal = refusals.shift()
          if (refusal) {
            Object.defineProperty(navigator, 'userActivation', { value: { isActive: false }, configurable: true })
            throw new DOMException('', refusal)
          }
          shared.push(...files.map(({ name, type, size }) => ({ name, type, size })))
        },
      })
    },
    [...answers],
  )
}
