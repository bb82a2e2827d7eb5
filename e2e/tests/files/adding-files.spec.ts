import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { openNewAccount } from '../../support/account/open-files.ts'
import { dropZone, fileRow, uploads } from '../../support/account/users.ts'
import { dragFilesOver, dropFiles } from '../../support/browser/drop-files.ts'
import { expectToast } from '../../support/browser/toasts.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { readArchive } from '../../support/files/read-archive.ts'
import { expect, test } from '../../support/journey.ts'

const rows = (page: Page) => page.getByRole('region', { name: 'Your Files' }).getByRole('listitem')

test('FIL-01 FIL-16 a dropped folder is uploaded with its subfolders and comes back with them', async ({
  page,
  folder,
}) => {
  const root = await createFolder(folder, {
    'site/notes.txt': 'one',
    'site/plans/north.txt': 'two',
    'site/plans/old/north.txt': 'three',
    'site/.DS_Store': 'left behind by a file manager',
  })
  await mkdir(join(root, 'site', 'empty', 'inside'), { recursive: true })
  await openNewAccount(page)

  await dropFiles(page, dropZone(page), [join(root, 'site')])

  await expect(rows(page)).toHaveCount(3)
  await expect(page.getByText('There are no files in site/empty.')).toBeVisible()
  await expect(fileRow(page, 'site/plans/old')).toContainText('north.txt')
  const saved = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download All' }).click())
  expect([...(await readArchive(saved.path)).keys()].toSorted()).toEqual([
    'site/notes.txt',
    'site/plans/north.txt',
    'site/plans/old/north.txt',
  ])
  const one = await saveDownload(page, folder, () =>
    page.getByRole('button', { name: 'Download site/plans/old/north.txt' }).click(),
  )
  expect(one.name).toBe('north.txt')
})

test('FIL-01 Choose Folder uploads a folder; an empty one and overlong names show a message', async ({
  page,
  folder,
}) => {
  const long = Array.from({ length: 6 }, () => 'n'.repeat(190)).join('/')
  const root = await createFolder(folder, { 'site/plans/a.txt': 'one', [`site/${long}/b.txt`]: 'two' })
  await mkdir(join(root, 'nothing'))
  await openNewAccount(page)

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose Folder' }).click(),
  ])
  await chooser.setFiles(join(root, 'site'))
  await expect(fileRow(page, 'site/plans')).toContainText('a.txt')
  await expect(page.getByText(/^The name of site\/n+.*, including its folders, is too long\.$/)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Dismiss' }).click()

  await dropFiles(page, dropZone(page), [join(root, 'nothing')])
  await expect(page.getByText('There are no files in nothing.')).toBeVisible()
})

test('FIL-01 a drop from a program that hands over no file says what to do', async ({ page }) => {
  await openNewAccount(page)

  await page.evaluate(() => {
    const drop = new Event('drop', { bubbles: true, cancelable: true })
    const item = { kind: 'file', type: '', getAsFile: () => null, webkitGetAsEntry: () => null }
    Object.defineProperty(drop, 'dataTransfer', { value: { types: ['Files'], items: [item], files: [] } })
    document.body.dispatchEvent(drop)
  })

  await expect(page.getByText('This program didn’t hand over a file. Save it first, then drop it.')).toBeVisible()
})

test('FIL-01 dragging files over the page shows how many there are', async ({ page, folder }) => {
  const draggedFiles = await Promise.all(
    ['a.txt', 'b.txt', 'c.txt'].map((name) => makeRandomFile({ folder, name, bytes: 9 })),
  )
  await openNewAccount(page)

  const release = await dragFilesOver(
    page,
    page.getByRole('heading', { name: 'Your Files' }),
    draggedFiles.map(({ path }) => path),
  )
  await expect(page.getByText('Drop to upload 3 files')).toBeVisible()
  await release()

  await expect(page.getByText('Drop to upload 3 files')).toHaveCount(0)
  await expect(rows(page)).toHaveCount(3)
})

test('FIL-01 pasted text is shown first, then uploaded as a text file or put into the chat', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openNewAccount(page)
  const dialog = page.getByRole('dialog', { name: 'Pasted text' })
  await page.evaluate(() => navigator.clipboard.writeText('The key is with\nthe neighbours.'))

  await page.keyboard.press('Control+V')
  await expect(dialog).toContainText('The key is with the neighbours.')
  await expect(dialog).toContainText('2 lines, 31 Bytes')
  await expect(dialog.getByRole('textbox', { name: 'File name' })).toHaveValue(
    /^Pasted text [\d-]{10} \d\d\.\d\d\.txt$/,
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(uploads(page)).toHaveCount(0)

  await page.keyboard.press('Control+V')
  await dialog.getByRole('textbox', { name: 'File name' }).fill('where the key is')
  await page.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Save as text file' }).click()
  await expect(fileRow(page, 'where the key is.txt')).toContainText('31 Bytes')

  await page.keyboard.press('Control+V')
  await dialog.getByRole('button', { name: 'Send to Chat' }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('The key is with\nthe neighbours.')
})

test('FIL-18 on a phone, Paste reads an image or text from the clipboard and says when it is denied', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openNewAccount(page)
  const paste = page.getByRole('button', { name: 'Paste', exact: true })

  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(4, 4)
    canvas.getContext('2d')
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': await canvas.convertToBlob() })])
  })
  await paste.click()
  await expect(fileRow(page, 'Pasted image')).toContainText('.png')

  await page.evaluate(() => navigator.clipboard.writeText('a word'))
  await paste.click()
  await page.getByRole('dialog', { name: 'Pasted text' }).getByRole('button', { name: 'Save as text file' }).click()
  await expect(fileRow(page, 'Pasted text')).toContainText('6 Bytes')

  await context.clearPermissions()
  await page.evaluate(() => {
    navigator.clipboard.read = () => Promise.reject(new DOMException('', 'NotAllowedError'))
  })
  await paste.click()
  await expectToast(page, 'Couldn’t read the clipboard. Use Choose Files instead.')
})

test('FIL-01 FIL-08 many files form a queue whose first rows are shown, and all are cancelled at once', async ({
  page,
  folder,
}) => {
  const names = Array.from({ length: 60 }, (_, index) => `part-${String(index).padStart(2, '0')}.txt`)
  const root = await createFolder(folder, Object.fromEntries(names.map((name) => [`many/${name}`, name])))
  await openNewAccount(page)
  await page.route('**/api/upload', () => undefined)

  await dropFiles(page, dropZone(page), [join(root, 'many')])

  await expect(uploads(page).getByText('56 more files waiting')).toBeVisible()
  await expect(uploads(page).getByRole('listitem')).toHaveCount(4)
  await uploads(page).getByRole('button', { name: 'Show more' }).click()
  await expect(uploads(page).getByRole('listitem')).toHaveCount(16)
  await expect(uploads(page).getByText('44 more files waiting')).toBeVisible()
  await expect(uploads(page).getByText('0 of 60 files')).toBeVisible()
  await uploads(page).getByRole('button', { name: 'Cancel all' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep uploading' }).click()
  await expect(uploads(page).getByText('0 of 60 files')).toBeVisible()
  await uploads(page).getByRole('button', { name: 'Cancel all' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('60 files won’t be uploaded.')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel all' }).click()
  await expect(page.getByText('Upload cancelled by user')).toBeVisible()
  await expect(uploads(page)).toHaveCount(0)
  await expect(rows(page)).toHaveCount(0)
})

async function createFolder(root: string, contents: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(contents)) {
    await mkdir(join(root, dirname(path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}
