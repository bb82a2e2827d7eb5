import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { sha256OfBytes } from '../../support/files/random-file.ts'
import { readArchive } from '../../support/files/read-archive.ts'
import { expect, test } from '../../support/journey.ts'

test('FIL-16 T155 500 files, many with equal and some with hostile names, come in one archive', async ({
  page,
  folder,
  server,
}) => {
  test.setTimeout(600_000)
  const account = await createAccount(server.url)
  const contents = Array.from({ length: 500 }, (_, index) => Buffer.from(`file ${index} `.repeat(50)))
  for (const [index, bytes] of contents.entries()) await account.upload(new File([bytes], fileNameAt(index)), 720)
  await openFiles(page, account)
  const list = page.getByRole('region', { name: 'Your Files' })
  await expect(list.getByText('300 more files')).toBeVisible({ timeout: 240_000 })
  await expect(list.getByRole('listitem')).toHaveCount(200)
  // A click would scroll to the button, and more rows would follow until it is gone.
  await list.getByRole('button', { name: 'Show all' }).dispatchEvent('click')
  await expect(list.getByRole('listitem')).toHaveCount(500)
  await expect(list.getByText('more files')).toHaveCount(0)

  const saved = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download All' }).click())

  const archive = await readArchive(saved.path)
  expect(archive.size).toBe(500)
  expect(new Set([...archive.keys()].map((name) => name.toLowerCase())).size).toBe(500)
  expect([...archive.keys()].filter((name) => /(^|\/)\.{0,2}(\/|$)|[\\:]/.test(name))).toEqual([])
  expect([...archive.values()].toSorted()).toEqual(contents.map(sha256OfBytes).toSorted())
  const heapBytes = await page.evaluate(() => Reflect.get(performance, 'memory').usedJSHeapSize)
  expect(heapBytes).toBeLessThan(256 * 1024 * 1024)
})

function fileNameAt(index: number): string {
  if (index % 50 === 0) return `../../escape-${index}.txt`
  if (index % 51 === 0) return `C:\\Windows\\${index}.bat`
  return index % 2 === 0 ? 'photo.jpg' : 'site/Photo.JPG'
}
