import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openNewAccount } from '../../support/account/open-files.ts'
import { fileRow, uploads } from '../../support/account/users.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { sha256OfBytes } from '../../support/files/random-file.ts'
import { readArchive } from '../../support/files/read-archive.ts'
import { expect, test } from '../../support/journey.ts'

const fileCount = 250

test('FIL-01 FIL-16 250 small files are uploaded several at a time and come back unchanged in one archive', async ({
  page,
  folder,
}) => {
  const contents = new Map(
    Array.from({ length: fileCount }, (_, index) => [`small-${index}.bin`, randomBytes(1000 + index)] as const),
  )
  for (const [name, bytes] of contents) await writeFile(join(folder, name), bytes)
  await openNewAccount(page)
  const list = page.getByRole('region', { name: 'Your Files' })
  const requestedPaths: string[] = []
  let openUploads = 0
  let maxOpenUploads = 0
  page.context().on('request', (request) => {
    const { pathname } = new URL(request.url())
    requestedPaths.push(pathname)
    if (pathname !== '/api/upload') return
    openUploads += 1
    maxOpenUploads = Math.max(maxOpenUploads, openUploads)
  })
  page.context().on('requestfinished', (request) => {
    if (new URL(request.url()).pathname === '/api/upload') openUploads -= 1
  })

  await page
    .getByRole('button', { name: 'Files to upload' })
    .setInputFiles([...contents.keys()].map((name) => join(folder, name)))

  await expect(uploads(page).getByText(`of ${fileCount} files`)).toBeVisible()
  await expect(list.getByRole('heading').locator('xpath=following-sibling::*')).toHaveText(String(fileCount), {
    timeout: 120_000,
  })
  await expect(list.getByText('50 more files')).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveCount(200)
  await expect(fileRow(page, `small-${fileCount - 1}.bin`)).toBeVisible()
  const count = (path: string) => requestedPaths.filter((requested) => requested === path).length
  expect(maxOpenUploads).toBeLessThanOrEqual(4)
  expect(count('/api/files')).toBeLessThanOrEqual(5)
  expect(count('/api/user-info')).toBeLessThanOrEqual(40)

  const saved = await saveDownload(page, folder, () => page.getByRole('button', { name: 'Download All' }).click())

  const digests = [...contents].map(([name, bytes]) => [name, sha256OfBytes(bytes)])
  expect([...(await readArchive(saved.path))].sort()).toEqual(digests.sort())
})
