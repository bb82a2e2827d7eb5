import { appendFileSync } from 'node:fs'
import { openNewAccount } from '../../support/account/open-files.ts'
import { dropZone, fileRow } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'

const megabyte = 1024 * 1024

test('T026 a file that changes during its upload is not stored', async ({ page, folder }) => {
  const file = await makeRandomFile({ folder, name: 'diary.bin', bytes: 20 * megabyte })
  await openNewAccount(page)
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/upload-chunk', async (route) => {
    await released
    await route.continue()
  })

  await dropFiles(page, dropZone(page), [file.path])
  await expect(page.getByText('Encrypting', { exact: true })).toBeVisible()
  appendFileSync(file.path, 'one more line')
  release()

  await expect(page.getByRole('alert')).toContainText('Failed to upload diary.bin: ', { timeout: 240_000 })
  await expect(page.getByRole('alert')).toContainText('The file changed')
  await expect(fileRow(page, 'diary.bin')).toHaveCount(0)
})

test('T027 FIL-05 a retried chunk is identical to the byte', async ({ page, folder }) => {
  const file = await makeRandomFile({ folder, name: 'twice.bin', bytes: 200_000 })
  const bodies: string[] = []
  await openNewAccount(page)
  await page.route('**/api/upload', async (route) => {
    bodies.push(route.request().postDataBuffer()?.toString('base64') ?? '')
    if (bodies.length < 3) return route.fulfill({ status: 502, body: '' })
    return route.continue()
  })

  await dropFiles(page, dropZone(page), [file.path])

  await expect(fileRow(page, 'twice.bin')).toBeVisible()
  expect(bodies).toHaveLength(3)
  expect(new Set(bodies).size).toBe(1)
  expect(bodies[0]?.length).toBeGreaterThan(250_000)
})

test('FIL-17 a cancelled download stops and can be started again', async ({ page, folder }) => {
  const file = await makeRandomFile({ folder, name: 'later.bin', bytes: 3 * megabyte })
  await openNewAccount(page)
  await dropFiles(page, dropZone(page), [file.path])
  await page.route('**/api/download/*', () => undefined)
  await fileRow(page, 'later.bin').getByRole('button', { name: 'Download' }).click()
  const card = page.getByRole('region', { name: 'Downloads' })
  await expect(card.getByRole('progressbar', { name: 'Decrypting later.bin' })).toBeVisible()

  await card.getByRole('button', { name: 'Cancel download of later.bin' }).click()
  await expect(card.getByText('Download was cancelled')).toBeVisible()
  await page.unrouteAll()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Download again later.bin' }).click(),
  ])

  expect(download.suggestedFilename()).toBe('later.bin')
})
