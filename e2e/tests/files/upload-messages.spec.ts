import { openNewAccount } from '../../support/account/open-files.ts'
import { dropZone, fileRow, uploads } from '../../support/account/users.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { expectShownFor, pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { holdChunksFrom } from '../../support/files/hold-chunks.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'

const megabyte = 1024 * 1024

test('FIL-02 the upload card shows Encrypting and Encrypted, a bar and a speed, and disappears 2 seconds after completion', async ({
  page,
  folder,
}) => {
  const file = await makeRandomFile({ folder, name: 'plans.bin', bytes: 20 * megabyte })
  await page.clock.install()
  await openNewAccount(page)
  const release = await holdChunksFrom(page, 1)
  const badges = page.evaluate(() => {
    const seen = new Set<string>()
    return new Promise<string[]>((resolve) => {
      const collectBadges = () => {
        const text = document.querySelector('section[aria-label="Uploads"]')?.textContent ?? ''
        for (const badge of ['Encrypting', 'Encrypted']) if (text.includes(badge)) seen.add(badge)
        if (seen.size === 2) resolve([...seen])
      }
      new MutationObserver(collectBadges).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      })
    })
  })

  await dropFiles(page, dropZone(page), [file.path])

  expect(await badges).toEqual(['Encrypting', 'Encrypted'])
  await expect(uploads(page).getByRole('progressbar', { name: 'Uploading plans.bin' })).toHaveAttribute(
    'aria-valuenow',
    '40',
  )
  await expect(uploads(page).getByText(/^[\d.]+ [KM]?B\/s$/)).toBeVisible()
  await expect(uploads(page).getByRole('button', { name: 'Cancel Upload' })).toBeVisible()
  await pauseClock(page)
  release()
  await stepUntilVisible(uploads(page).getByText('20.00 MB', { exact: true }))
  await expect(uploads(page).getByText('100%', { exact: true })).toBeVisible()
  await expectShownFor(uploads(page), 2000)
  await page.clock.resume()
  await expect(fileRow(page, 'plans.bin')).toBeVisible()
})

test('FIL-09 the server names missing chunks', async ({ page, folder }) => {
  const largeFile = await makeRandomFile({ folder, name: 'gap.bin', bytes: 20 * megabyte })
  await openNewAccount(page)
  let firstResponse = ''
  await page.route('**/api/upload-chunk', async (route) => {
    if (Number(route.request().headers()['x-chunk-index']) === 0) {
      const response = await route.fetch()
      firstResponse = await response.text()
      return route.fulfill({ response })
    }
    await expect.poll(() => firstResponse).not.toBe('')
    await route.fulfill({ status: 200, contentType: 'application/json', body: firstResponse })
  })

  await dropFiles(page, dropZone(page), [largeFile.path])
  await expect(page.getByRole('alert')).toContainText(
    /^Failed to upload gap\.bin: Upload integrity check failed: Missing chunks \[1, ?2\]/,
    { timeout: 240_000 },
  )
})

test('FIL-10 a copied link shows Copied! for 2 seconds in place, and sizes use four units', async ({
  page,
  context,
  folder,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const sizes = { 'bytes.bin': 17, 'kilo.bin': 1536, 'mega.bin': 2.5 * megabyte }
  await page.clock.install()
  const testFiles = await Promise.all(
    Object.entries(sizes).map(([name, bytes]) => makeRandomFile({ folder, name, bytes })),
  )
  await openNewAccount(page)
  await dropFiles(
    page,
    dropZone(page),
    testFiles.map(({ path }) => path),
  )
  await expect(fileRow(page, 'bytes.bin')).toContainText('17 Bytes')
  await expect(fileRow(page, 'kilo.bin')).toContainText('1.50 KB')
  await expect(fileRow(page, 'mega.bin')).toContainText('2.50 MB')
  await expect(page.getByRole('meter', { name: 'Storage' })).toHaveText(/ of 1\.00 GB$/)
  await expect(fileRow(page, 'bytes.bin').getByText(/^0h [45]m remaining$/)).toBeVisible()
  await expect(uploads(page)).toHaveCount(0)

  const remove = fileRow(page, 'kilo.bin').getByRole('button', { name: 'Delete' })
  const before = await remove.boundingBox()
  const copied = fileRow(page, 'kilo.bin').getByText('Copied!', { exact: true })
  await pauseClock(page)
  await fileRow(page, 'kilo.bin').getByRole('button', { name: 'Copy Link' }).click()
  await stepUntilVisible(copied)
  expect(await remove.boundingBox()).toEqual(before)
  await expectShownFor(copied, 2000)
  await expect(fileRow(page, 'kilo.bin').getByRole('button', { name: 'Copy Link' })).toBeVisible()
})
