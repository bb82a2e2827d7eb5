import { mkdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { shareFile } from '@sallyport/client/share-link'
import { files } from '@sallyport/contract/files'
import { type Account, createAccount } from '../support/account.ts'
import { dropFiles } from '../support/drop-files.ts'
import { expect, test } from '../support/journey.ts'
import { dropZone, fileRow, signIn, uploads } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'

const place = fileURLToPath(new URL('../../docs/screens/', import.meta.url))
const most = 150 * 1024

test('@screens landing page, files, a shared file and settings, by day and by night', async ({
  page,
  folder,
  server,
}) => {
  mkdirSync(place, { recursive: true })
  const account = await createAccount(server.url, 'mara@example.org')
  const link = await furnish(server.url, account)
  const moving = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 30_000_000 })

  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  await draw(page, 'landing')

  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  await draw(page, 'share')

  await signIn(page, account)
  await expect(fileRow(page, 'walkthrough.mp4')).toBeVisible()
  await page.route('**/api/upload-chunk', (route) =>
    Number(route.request().headers()['x-chunk-index']) < 2 ? route.continue() : undefined,
  )
  await dropFiles(page, dropZone(page), [moving.path])
  await expect(uploads(page).getByText('55%')).toBeVisible({ timeout: 60_000 })
  await draw(page, 'files')

  await uploads(page).getByRole('button', { name: 'Cancel Upload' }).click()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await expect(page.getByRole('combobox', { name: 'File Expiration Time' })).toBeVisible()
  await draw(page, 'settings')
})

async function draw(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0)
  for (const colorScheme of ['light', 'dark'] as const) {
    const path = `${place}${name}-${colorScheme}.png`
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    await page.screenshot({ path })
    expect(statSync(path).size).toBeLessThan(most)
  }
}

async function furnish(origin: string, { call, accountKey, upload }: Account): Promise<string> {
  const stored = [
    { name: 'quarterly-report-final.pdf', bytes: 2_527_068, minutes: 720 },
    { name: 'facade-elevation-north.dwg', bytes: 4_812_345, minutes: 60 },
    { name: 'walkthrough.mp4', bytes: 4_998_000, minutes: 4320 },
  ]
  let id = ''
  for (const { name, bytes, minutes } of stored) {
    id = await upload(
      new File([crypto.getRandomValues(new Uint8Array(60_000)), new Uint8Array(bytes - 60_000)], name),
      minutes,
    )
  }
  const { encryptedFileKey } = await call(files.key, { params: { id } })
  return shareFile(call, { id, encryptedFileKey, accountKey, origin })
}
