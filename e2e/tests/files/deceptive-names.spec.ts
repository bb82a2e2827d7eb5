import type { Locator } from '@playwright/test'
import { shareFile } from '@sallyport/client/sharing/share-link'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { expect, test } from '../../support/journey.ts'
import { messageCards, openChat, sendMessage } from '../../support/messages.ts'

const disguised = 'invoice\u202egpj.exe'
const shown = 'invoice[U+202E]gpj.exe'
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Where the last characters of an element are drawn. */
const boxOfEnd = (element: Locator, characters: number) =>
  element.evaluate((node, count) => {
    const text = node.lastElementChild?.lastChild as Text
    const range = document.createRange()
    range.setStart(text, text.length - count)
    range.setEnd(text, text.length)
    const { left, right, width } = range.getBoundingClientRect()
    return { left, right, width }
  }, characters)

test('T040 SHR-03 a name that reverses its extension shows the mark in the list and on the share page, and is saved without it', async ({
  page,
  server,
  folder,
  anotherBrowser,
}) => {
  const account = await createAccount(server.url)
  const id = await account.upload(new File(['eleven byte'], disguised))
  const { encryptedFileKey } = await account.call(files.key, { params: { id } })
  const { call, accountKey } = account
  const link = await shareFile(call, { id, encryptedFileKey, accountKey, origin: server.url })
  await openFiles(page, account)
  await expect(page.getByTitle(shown, { exact: true })).toHaveText(shown)
  await expect(page.getByRole('button', { name: `Download ${shown}` })).toBeVisible()
  await page.getByRole('button', { name: `Delete ${shown}` }).click()
  await expect(page.getByRole('alertdialog').getByText(shown, { exact: true })).toBeVisible()

  const visitor = await (await anotherBrowser()).newPage()
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { name: shown })).toBeVisible()
  await expect(visitor).toHaveTitle(new RegExp(`^${RegExp.escape(shown)}`))
  const saved = await saveDownload(visitor, folder, () => visitor.getByRole('button', { name: 'Download' }).click())
  expect(saved.name).toBe('invoicegpj.exe')
})

test('T040 a preview, its tooltip and the folder of a name show the mark', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await account.upload(new File([onePixel], 'pla\u202ens/photo\u202egpj.png', { type: 'image/png' }))
  await openFiles(page, account)
  await expect(page.getByTitle('pla[U+202E]ns', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Show photo[U+202E]gpj.png' }).click()

  const preview = page.getByRole('dialog')
  await expect(preview.getByTitle('pla[U+202E]ns/photo[U+202E]gpj.png', { exact: true })).toBeVisible()
  await expect(preview.getByRole('img', { name: 'photo[U+202E]gpj.png' })).toBeVisible()
})

test('T040 a file with a blank name is shown as an unnamed file', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await account.upload(new File(['eleven byte'], '   '))
  await openFiles(page, account)

  await expect(page.getByTitle('Unnamed file')).toHaveText('Unnamed file')
  await page.getByRole('button', { name: 'Delete Unnamed file' }).click()
  await expect(page.getByRole('alertdialog').getByText('Unnamed file')).toBeVisible()
})

test('T040 CHT-01 a message shows what would reverse a link', async ({ page, server }) => {
  const account = await createAccount(server.url)
  await sendMessage(account, 'https://example.org/\u202egro.live')
  await openFiles(page, account)
  await openChat(page)
  await expect(messageCards(page).locator('p').first()).toHaveText('https://example.org/[U+202E]gro.live')
})

test('T040 an extension in look-alike letters, whose marks make it long, leaves the beginning of the name visible', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const account = await createAccount(server.url)
  await account.upload(new File(['x'], 'agenda.\uff45\uff58\uff45\uff45\uff58'))
  await openFiles(page, account)

  const name = page.getByTitle(/^agenda\./)
  const beginning = await name.evaluate((node) => {
    const range = document.createRange()
    range.setStart(node.firstChild as Text, 0)
    range.setEnd(node.firstChild as Text, 'agenda.'.length)
    const [text, box] = [range.getBoundingClientRect(), node.getBoundingClientRect()]
    return { isInside: text.left >= box.left && text.right <= box.right, width: text.width }
  })
  expect(beginning.isInside).toBe(true)
  expect(beginning.width).toBeGreaterThan(30)
})

for (const width of [390, 1280]) {
  test(`FIL-01 the extension of a long name stays visible on a screen of ${width} pixels`, async ({ page, server }) => {
    await page.setViewportSize({ width, height: 844 })
    const account = await createAccount(server.url)
    const name = `holiday picture ${'W'.repeat(180)}.jpg.exe`
    await account.upload(new File(['x'], name))
    await openFiles(page, account)

    const shownName = page.getByTitle(name, { exact: true })
    await expect(shownName).toBeVisible()
    const end = await boxOfEnd(shownName, 4)
    const box = await shownName.boundingBox()
    expect(end.width).toBeGreaterThan(10)
    expect(end.right).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0) + 1)
    expect(end.right).toBeLessThanOrEqual(width)
  })
}
