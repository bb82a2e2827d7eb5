import { openNewAccount } from '../../support/account/open-files.ts'
import { dropZone, fileRow } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile, pathsOf } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'

const megabyte = 1024 * 1024

const sizes = [
  { name: 'nothing.bin', bytes: 0, shown: '0 Bytes' },
  { name: 'one-byte.bin', bytes: 1, shown: '1 Bytes' },
  { name: 'last-single.bin', bytes: 5 * megabyte - 1, shown: '5.00 MB' },
  { name: 'first-chunked.bin', bytes: 5 * megabyte, shown: '5.00 MB' },
  { name: 'first-of-16-mb-chunks.bin', bytes: 50 * megabyte + 1, shown: '50.00 MB' },
]

test('FIL-04 FIL-14 T028 files at each size boundary download unchanged', async ({ page, folder }) => {
  const files = await Promise.all(sizes.map(({ name, bytes }) => makeRandomFile({ folder, name, bytes })))
  const requests: string[] = []
  page.context().on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST' && pathname.startsWith('/api/upload')) requests.push(pathname)
  })
  await openNewAccount(page)

  await dropFiles(page, dropZone(page), pathsOf(files))
  for (const { name, shown } of sizes) {
    await expect(fileRow(page, name).getByText(shown)).toBeVisible({ timeout: 360_000 })
  }

  for (const file of files) {
    const saved = await saveDownload(page, folder, () =>
      fileRow(page, file.name).getByRole('button', { name: 'Download' }).click(),
    )
    expect([saved.name, saved.sha256]).toEqual([file.name, file.sha256])
  }
  // The 3 small files take 1 request each; 5 MB takes 1 chunk of 8 MB, 50 MB + 1 B takes 4 chunks of 16 MB.
  expect(requests.filter((path) => path === '/api/upload')).toHaveLength(3)
  expect(requests.filter((path) => path === '/api/upload-chunk')).toHaveLength(1 + 4)
})
