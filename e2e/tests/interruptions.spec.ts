import { appendFileSync } from 'node:fs'
import { dropFiles } from '../support/drop-files.ts'
import { expect, test } from '../support/journey.ts'
import { dropZone, fileRow, signUp } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'

const megabyte = 1024 * 1024

test('T026 a file that changes while it is being uploaded is not stored', async ({ page, folder }) => {
  const file = await makeRandomFile({ folder, name: 'diary.bin', bytes: 20 * megabyte })
  await signUp(page)
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/api/upload-chunk', async (route) => {
    await held
    await route.continue()
  })

  await dropFiles(page, dropZone(page), [file.path])
  await expect(page.getByText('Encrypting', { exact: true })).toBeVisible()
  appendFileSync(file.path, 'one more line')
  letGo()

  await expect(page.getByRole('alert')).toContainText('Failed to upload diary.bin: ', { timeout: 60_000 })
  await expect(page.getByRole('alert')).toContainText('The file changed')
  await expect(fileRow(page, 'diary.bin')).toHaveCount(0)
})

test('T027 FIL-05 a chunk that is sent again is the same to the byte', async ({ page, folder }) => {
  const file = await makeRandomFile({ folder, name: 'twice.bin', bytes: 200_000 })
  const bodies: string[] = []
  await signUp(page)
  await page.route('**/api/upload', async (route) => {
    bodies.push(route.request().postDataBuffer()?.toString('base64') ?? '')
    if (bodies.length < 3) return route.fulfill({ status: 502, body: '' })
    return route.continue()
  })

  await dropFiles(page, dropZone(page), [file.path])

  await expect(fileRow(page, 'twice.bin')).toBeVisible({ timeout: 20_000 })
  expect(bodies).toHaveLength(3)
  expect(new Set(bodies).size).toBe(1)
  expect(bodies[0]?.length).toBeGreaterThan(250_000)
})

test('T042 a helper in the background that cannot start fails the upload in words, and the next one works', async ({
  page,
  folder,
}) => {
  const file = await makeRandomFile({ folder, name: 'no-helper.bin', bytes: 9 * megabyte })
  await signUp(page)
  await page.route('**/assets/seal.worker-*.js', (route) => route.abort('connectionrefused'))

  await dropFiles(page, dropZone(page), [file.path])
  const banner = page.getByRole('alert').filter({ hasText: 'Failed to upload no-helper.bin: ' })
  await expect(banner).toBeVisible({ timeout: 30_000 })
  await page.unrouteAll()
  await banner.getByRole('button', { name: 'Retry' }).click()

  await expect(fileRow(page, 'no-helper.bin')).toBeVisible({ timeout: 30_000 })
})

test('T042 a helper that breaks down in the middle of a file fails the upload in words and leaves no half file', async ({
  page,
  folder,
}) => {
  const file = await makeRandomFile({ folder, name: 'broken-off.bin', bytes: 40 * megabyte })
  await signUp(page)
  let chunks = 0
  await page.route('**/api/upload-chunk', async (route) => {
    chunks += 1
    if (chunks === 1) return route.continue()
  })
  await dropFiles(page, dropZone(page), [file.path])
  await expect.poll(() => chunks).toBeGreaterThanOrEqual(2)
  const helper = page.workers().find((worker) => worker.url().includes('seal.worker'))

  await helper?.evaluate(() => {
    setTimeout(() => {
      throw new Error('broken down')
    })
  })

  const banner = page.getByRole('alert').filter({ hasText: 'Failed to upload broken-off.bin: ' })
  await expect(banner).toBeVisible({ timeout: 30_000 })
  await expect(fileRow(page, 'broken-off.bin')).toHaveCount(0)
  expect(helper).toBeDefined()
  await page.unrouteAll()
  await banner.getByRole('button', { name: 'Retry' }).click()
  await expect(fileRow(page, 'broken-off.bin')).toBeVisible({ timeout: 60_000 })
})

test('FIL-17 a download that is cancelled stops, and can be taken up again', async ({ page, folder }) => {
  const file = await makeRandomFile({ folder, name: 'later.bin', bytes: 3 * megabyte })
  await signUp(page)
  await dropFiles(page, dropZone(page), [file.path])
  await page.route('**/api/download/*', () => undefined)
  await fileRow(page, 'later.bin').getByRole('button', { name: 'Download' }).click()
  const card = page.getByRole('region', { name: 'Downloads' })
  await expect(card.getByRole('progressbar', { name: 'Unsealing later.bin' })).toBeVisible()

  await card.getByRole('button', { name: 'Cancel download of later.bin' }).click()
  await expect(card.getByText('Download was cancelled')).toBeVisible()
  await page.unrouteAll()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Download again later.bin' }).click(),
  ])

  expect(download.suggestedFilename()).toBe('later.bin')
})
