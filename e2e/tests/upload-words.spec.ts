import { dropFiles } from '../support/drop-files.ts'
import { holdChunksFrom } from '../support/held-chunks.ts'
import { expect, test } from '../support/journey.ts'
import { dropZone, fileRow, signUp, uploads } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'
import { expectShownFor, stepUntilVisible, stopTime } from '../support/stopped-time.ts'

const megabyte = 1024 * 1024

test('FIL-02 the card of an upload tells Encrypting and Encrypted, a bar and a speed, and goes two seconds after its end', async ({
  page,
  folder,
}) => {
  const file = await makeRandomFile({ folder, name: 'plans.bin', bytes: 20 * megabyte })
  await page.clock.install()
  await signUp(page)
  const letGo = await holdChunksFrom(page, 1)
  const badges = page.evaluate(() => {
    const seen = new Set<string>()
    return new Promise<string[]>((resolve) => {
      const look = () => {
        const text = document.querySelector('section[aria-label="Uploads"]')?.textContent ?? ''
        for (const badge of ['Encrypting', 'Encrypted']) if (text.includes(badge)) seen.add(badge)
        if (seen.size === 2) resolve([...seen])
      }
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
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
  await stopTime(page)
  letGo()
  await stepUntilVisible(uploads(page).getByText('20.00 MB', { exact: true }))
  await expect(uploads(page).getByText('100%', { exact: true })).toBeVisible()
  await expectShownFor(uploads(page), 2000)
  await page.clock.resume()
  await expect(fileRow(page, 'plans.bin')).toBeVisible()
})

test('FIL-09 chunks that never arrived are named by the server', async ({ page, folder }) => {
  const big = await makeRandomFile({ folder, name: 'gap.bin', bytes: 20 * megabyte })
  await signUp(page)
  let answer = ''
  await page.route('**/api/upload-chunk', async (route) => {
    if (Number(route.request().headers()['x-chunk-index']) === 0) {
      const response = await route.fetch()
      answer = await response.text()
      return route.fulfill({ response })
    }
    await expect.poll(() => answer).not.toBe('')
    await route.fulfill({ status: 200, contentType: 'application/json', body: answer })
  })

  await dropFiles(page, dropZone(page), [big.path])
  await expect(page.getByRole('alert')).toContainText(
    /^Failed to upload gap\.bin: Upload integrity check failed: Missing chunks \[1, ?2\]/,
    { timeout: 60_000 },
  )
})

test('FIL-10 a copied link says Copied! for two seconds in the same place, and sizes come in four units', async ({
  page,
  context,
  folder,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const sizes = { 'bytes.bin': 17, 'kilo.bin': 1536, 'mega.bin': 2.5 * megabyte }
  await page.clock.install()
  const made = await Promise.all(Object.entries(sizes).map(([name, bytes]) => makeRandomFile({ folder, name, bytes })))
  await signUp(page)
  await dropFiles(
    page,
    dropZone(page),
    made.map(({ path }) => path),
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
  await stopTime(page)
  await fileRow(page, 'kilo.bin').getByRole('button', { name: 'Copy Link' }).click()
  await stepUntilVisible(copied)
  expect(await remove.boundingBox()).toEqual(before)
  await expectShownFor(copied, 2000)
  await expect(fileRow(page, 'kilo.bin').getByRole('button', { name: 'Copy Link' })).toBeVisible()
})
