import { openNewAccount } from '../../support/account/open-files.ts'
import { dropZone, fileRow } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'

const megabyte = 1024 * 1024

test('FIL-04 a browser that is short of memory sends chunks of 4 MB', async ({ page, folder }) => {
  await page.addInitScript(() =>
    Object.defineProperty(performance, 'memory', {
      value: { jsHeapSizeLimit: 50_000_000, usedJSHeapSize: 40_000_000 },
    }),
  )
  const file = await makeRandomFile({ folder, name: 'plan.pdf', bytes: 9 * megabyte })
  const chunkSizes: (string | undefined)[] = []
  page.context().on('request', (request) => {
    if (request.url().endsWith('/api/upload-chunk')) chunkSizes.push(request.headers()['x-chunk-size'])
  })
  await openNewAccount(page)

  await dropFiles(page, dropZone(page), [file.path])
  await expect(fileRow(page, file.name)).toBeVisible({ timeout: 240_000 })

  expect(chunkSizes).toEqual(Array(3).fill(String(4 * megabyte)))
})
