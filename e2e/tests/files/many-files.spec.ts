import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openNewAccount } from '../../support/account/open-files.ts'
import { uploads } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'

test('FIL-09 of many failed uploads three have a banner, and all are retried together', async ({ page, folder }) => {
  const names = Array.from({ length: 10 }, (_, index) => `part-${index}.txt`)
  for (const name of names) await writeFile(join(folder, name), name)
  await openNewAccount(page)
  await page.route('**/api/upload', (route) =>
    route.fulfill({ status: 403, json: { success: false, error: 'no', code: 'FORBIDDEN' } }),
  )

  await page.getByRole('button', { name: 'Files to upload' }).setInputFiles(names.map((name) => join(folder, name)))

  await expect(page.getByText('7 more uploads failed')).toBeVisible()
  await expect(page.getByText('Failed to upload part-')).toHaveCount(3)
  await expect(uploads(page).getByText('10 failed')).toBeVisible()
  await page.unroute('**/api/upload')
  await uploads(page).getByRole('button', { name: 'Retry failed' }).click()
  await expect(page.getByRole('region', { name: 'Your Files' }).getByRole('listitem')).toHaveCount(10)
  await expect(page.getByText('Failed to upload part-')).toHaveCount(0)
})
