import { saveDownload } from '../support/downloads.ts'
import { dropFiles } from '../support/drop-files.ts'
import { expect, test } from '../support/journey.ts'
import { dropZone, fileRow, signUp } from '../support/people.ts'
import { asPathList, makeRandomFile } from '../support/random-file.ts'

const megabyte = 1024 * 1024

const sizes = [
  { name: 'nothing.bin', bytes: 0, shown: '0 Bytes' },
  { name: 'one-byte.bin', bytes: 1, shown: '1 Bytes' },
  { name: 'last-single.bin', bytes: 5 * megabyte - 1, shown: '5.00 MB' },
  { name: 'first-chunked.bin', bytes: 5 * megabyte, shown: '5.00 MB' },
  { name: 'first-of-16-mb-chunks.bin', bytes: 50 * megabyte + 1, shown: '50.00 MB' },
]

test('FIL-04 FIL-14 T028 files of each size where something changes come back to their owner byte for byte', async ({
  page,
  folder,
}) => {
  test.setTimeout(180_000)
  const files = await Promise.all(sizes.map(({ name, bytes }) => makeRandomFile({ folder, name, bytes })))
  const requests: string[] = []
  page.context().on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST' && pathname.startsWith('/api/upload')) requests.push(pathname)
  })
  await signUp(page)

  await dropFiles(page, dropZone(page), asPathList(files))
  for (const { name, shown } of sizes) {
    await expect(fileRow(page, name).getByText(shown)).toBeVisible({ timeout: 90_000 })
  }

  for (const file of files) {
    const saved = await saveDownload(page, folder, () =>
      fileRow(page, file.name).getByRole('button', { name: 'Download' }).click(),
    )
    expect([saved.name, saved.sha256]).toEqual([file.name, file.sha256])
  }
  // Three small files in one request each; 5 MB in one chunk of 8 MB, 50 MB and a byte in four chunks of 16 MB.
  expect(requests.filter((path) => path === '/api/upload')).toHaveLength(3)
  expect(requests.filter((path) => path === '/api/upload-chunk')).toHaveLength(1 + 4)
})
