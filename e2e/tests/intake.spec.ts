import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { saveDownload } from '../support/downloads.ts'
import { dropFiles, holdFiles } from '../support/drop-files.ts'
import { expect, test } from '../support/journey.ts'
import { dropZone, fileRow, signUp, uploads } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'
import { readArchive } from '../support/read-archive.ts'
import { expectToast } from '../support/toasts.ts'

const rows = (page: Page) => page.getByRole('region', { name: 'Your Files' }).getByRole('listitem')

test('FIL-01 FIL-16 a folder is dropped with all that lies in it, and comes back in its folders', async ({
  page,
  folder,
}) => {
  const site = await makeFolder(folder, {
    'site/notes.txt': 'one',
    'site/plans/north.txt': 'two',
    'site/plans/old/north.txt': 'three',
    'site/.DS_Store': 'left behind by a file manager',
  })
  await signUp(page)

  await dropFiles(page, dropZone(page), [join(site, 'site')])

  await expect(rows(page)).toHaveCount(3)
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

test('FIL-01 a folder is chosen with Choose Folder; one without files, and names that are too long, are told', async ({
  page,
  folder,
}) => {
  const long = Array.from({ length: 6 }, () => 'n'.repeat(190)).join('/')
  const site = await makeFolder(folder, { 'site/plans/a.txt': 'one', [`site/${long}/b.txt`]: 'two' })
  await mkdir(join(site, 'nothing'))
  await signUp(page)

  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose Folder' }).click(),
  ])
  await chooser.setFiles(join(site, 'site'))
  await expect(fileRow(page, 'site/plans')).toContainText('a.txt')
  await expect(page.getByText(/^The name of site\/n+.* is too long with its folders\.$/)).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Dismiss' }).click()

  await dropFiles(page, dropZone(page), [join(site, 'nothing')])
  await expect(page.getByText('There are no files in nothing.')).toBeVisible()
})

test('FIL-01 files held over the page cover it with a word on how many there are', async ({ page, folder }) => {
  const held = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => makeRandomFile({ folder, name, bytes: 9 })))
  await signUp(page)

  const drop = await holdFiles(
    page,
    page.getByRole('heading', { name: 'Your Files' }),
    held.map(({ path }) => path),
  )
  await expect(page.getByText('Drop to seal 3 files')).toBeVisible()
  await drop()

  await expect(page.getByText('Drop to seal 3 files')).toHaveCount(0)
  await expect(rows(page)).toHaveCount(3)
})

test('FIL-01 a pasted text is shown first, and sealed as a text file or put in the chat', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signUp(page)
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
  await dialog.getByRole('button', { name: 'Seal as text file' }).click()
  await expect(fileRow(page, 'where the key is.txt')).toContainText('31 Bytes')

  await page.keyboard.press('Control+V')
  await dialog.getByRole('button', { name: 'Put in Chat' }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('The key is with\nthe neighbours.')
})

test('FIL-18 on a phone, Paste takes a picture or a text from the clipboard, and says when the browser keeps it', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signUp(page)
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
  await page.getByRole('dialog', { name: 'Pasted text' }).getByRole('button', { name: 'Seal as text file' }).click()
  await expect(fileRow(page, 'Pasted text')).toContainText('6 Bytes')

  await context.clearPermissions()
  await page.evaluate(() => {
    navigator.clipboard.read = () => Promise.reject(new DOMException('', 'NotAllowedError'))
  })
  await paste.click()
  await expectToast(page, 'The clipboard could not be read. Choose Files works everywhere.')
})

test('FIL-01 FIL-08 many files are a queue with a row for each at its front, and all of them are cancelled at once', async ({
  page,
  folder,
}) => {
  const names = Array.from({ length: 60 }, (_, at) => `part-${String(at).padStart(2, '0')}.txt`)
  const many = await makeFolder(folder, Object.fromEntries(names.map((name) => [`many/${name}`, name])))
  await signUp(page)
  await page.route('**/api/upload', () => undefined)

  await dropFiles(page, dropZone(page), [join(many, 'many')])

  await expect(uploads(page).getByText('55 files more waiting')).toBeVisible()
  await expect(uploads(page).getByRole('listitem')).toHaveCount(5)
  await uploads(page).getByRole('button', { name: 'Show more' }).click()
  await expect(uploads(page).getByRole('listitem')).toHaveCount(55)
  await uploads(page).getByRole('button', { name: 'Cancel all' }).click()
  await expect(page.getByText('Upload cancelled by user')).toBeVisible()
  await expect(uploads(page)).toHaveCount(0)
  await expect(rows(page)).toHaveCount(0)
})

async function makeFolder(place: string, contents: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(contents)) {
    await mkdir(join(place, dirname(path)), { recursive: true })
    await writeFile(join(place, path), text)
  }
  return place
}
