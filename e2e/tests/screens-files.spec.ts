import type { Page } from '@playwright/test'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../support/account.ts'
import { breakOff } from '../support/break-off.ts'
import { drawScreen } from '../support/draw-screen.ts'
import { dropFiles, holdFiles } from '../support/drop-files.ts'
import { holdChunksFrom } from '../support/held-chunks.ts'
import { expect, test } from '../support/journey.ts'
import { dropZone, enterPassword, fileRow, signIn, uploads } from '../support/people.ts'
import { makePng } from '../support/pictures.ts'
import { makeRandomFile } from '../support/random-file.ts'
import { shareByLink } from '../support/shared-file.ts'

const phone = { width: 390, height: 844 }
const megabyte = 1024 * 1024
const longName = `facade-elevation-${'north-'.repeat(16)}approved.dwg`

test('@screens signing in: busy, refused, and the plans', async ({ page, server }) => {
  const account = await createAccount(server.url, 'mara@example.org')
  await page.route('**/api/login', () => undefined)
  await enterPassword(page, account)
  await expect(page.getByRole('button', { name: 'Signing In...' })).toBeVisible()
  await drawScreen(page, 'sign-in-busy')
  await page.unroute('**/api/login')

  await enterPassword(page, { ...account, password: 'not the one' })
  await expect(page.getByRole('alert')).toBeVisible()
  await drawScreen(page, 'sign-in-refused')

  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page.getByRole('button', { name: 'Start trial' })).toBeVisible()
  await drawScreen(page, 'plans')
})

test('@screens files: none, held over, on their way, sealed, refused, and gone after a question', async ({
  page,
  context,
  folder,
  server,
}) => {
  const account = await createAccount(server.url, 'mara@example.org')
  const moving = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 30_000_000 })
  const small = await makeRandomFile({ folder, name: 'notes.txt', bytes: 4_000_000 })
  await signIn(page, account)
  await expect(page.getByText('Upload files to see them here')).toBeVisible()
  await drawScreen(page, 'files-empty')

  const letGo = await holdFiles(page, dropZone(page), [moving.path, small.path])
  await expect(page.getByText('Drop to seal 2 files')).toBeVisible()
  await drawScreen(page, 'files-held')
  await holdChunksFrom(page, 2)
  await letGo()
  await expect(uploads(page).getByText('55%')).toBeVisible({ timeout: 60_000 })
  await drawScreen(page, 'files-sending')
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await page.getByRole('button', { name: 'Show transfers' }).click()
  await drawScreen(page, 'dock')
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Hide transfers' }).click()
  await drawScreen(page, 'dock-phone')
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.getByRole('link', { name: 'Files', exact: true }).click()

  await context.setOffline(true)
  await expect(page.getByText('You’re offline. Transfers are paused.')).toBeVisible()
  await drawScreen(page, 'files-offline')
  await context.setOffline(false)
  await uploads(page).getByRole('button', { name: 'Cancel Upload site-photos.zip' }).click()
  await expect(uploads(page).getByText('100%')).toBeVisible()
  await drawScreen(page, 'files-sealed')
  await page.unroute('**/api/upload-chunk')

  await page.route('**/api/upload', (route) =>
    route.fulfill({
      status: 507,
      json: { error: { code: 'NO_ROOM', message: 'The server has no room left for this file' } },
    }),
  )
  await dropFiles(page, dropZone(page), [small.path])
  await expect(page.getByText(/^Failed to upload notes\.txt: /)).toBeVisible({ timeout: 60_000 })
  await drawScreen(page, 'files-failed')
  await page.getByRole('button', { name: 'Dismiss' }).click()

  await fileRow(page, 'notes.txt').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await drawScreen(page, 'files-delete')
})

test('@screens a list of files near their ends, and one whose link was just copied', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const account = await createAccount(server.url, 'mara@example.org')
  for (const [name, minutes] of [
    ['harbour/plans/north.dwg', 720],
    [longName, 180],
    ['quarterly-report-final.pdf', 60],
    ['walkthrough.mp4', 5],
  ] as const)
    await account.upload(new File([new Uint8Array(1_300_000)], name), minutes)
  await server.setClock(50_000)
  await signIn(page, account)
  await fileRow(page, 'quarterly-report-final.pdf').getByRole('button', { name: 'Copy Link' }).click()
  await expect(fileRow(page, 'quarterly-report-final.pdf').getByText('Copied!')).toBeVisible()
  await drawScreen(page, 'files-rows')

  await page.evaluate(() => navigator.clipboard.writeText('The key is with the neighbours.\nRing twice.'))
  await page.keyboard.press('Control+V')
  await expect(page.getByRole('dialog', { name: 'Pasted text' })).toBeVisible()
  await drawScreen(page, 'pasted-text')
})

test('@screens a phone: the last row, a picture, a link to copy by hand, and the composer', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    const refuse = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    Object.assign(navigator.clipboard, { write: refuse, writeText: refuse })
  })
  await page.setViewportSize(phone)
  const account = await createAccount(server.url, 'mara@example.org')
  const picture = new Uint8Array(makePng(600, 400, [96, 132, 120]))
  for (const [name, minutes] of [
    ['harbour.png', 60],
    ['lease.pdf', 5],
    ['walkthrough.mp4', 720],
  ] as const)
    await account.upload(new File([picture], name), minutes)
  await signIn(page, account)
  await expect(fileRow(page, 'walkthrough.mp4')).toBeVisible()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await drawScreen(page, 'files-phone-end')

  await page.getByRole('button', { name: 'Show harbour.png' }).click()
  await expect(page.getByRole('img', { name: 'harbour.png' })).toBeVisible()
  await drawScreen(page, 'overlay-phone')
  await page.keyboard.press('Escape')

  await fileRow(page, 'lease.pdf').getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByRole('dialog', { name: 'Could not copy text.' })).toBeVisible()
  await drawScreen(page, 'copy-by-hand-phone')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  const message = page.getByRole('textbox', { name: 'Message' })
  await expect(message).toBeVisible()
  await drawScreen(page, 'composer-44-phone')
  await message.fill(Array.from({ length: 9 }, (_, line) => `Line ${line + 1} of a longer message`).join('\n'))
  await drawScreen(page, 'composer-120-phone')
})

test('@screens a shared file: looked up, on its way, complete, gone, and without its key', async ({ page, server }) => {
  const report = new File([new Uint8Array(25 * megabyte)], 'quarterly-report-final.pdf')
  const { account, link } = await shareByLink(server.url, report)
  await page.route('**/api/share/*', () => undefined)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Loading' })).toBeVisible()
  await drawScreen(page, 'share-loading')
  await page.unroute('**/api/share/*')

  await page.reload()
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  await breakOff(page, '**/api/share/*', 0.58)
  await page.getByRole('button', { name: 'Download' }).click()
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^5[678]$/)
  await drawScreen(page, 'share-downloading')
  const saving = page.waitForEvent('download')
  await page.unroute('**/api/share/*')
  await saving
  await expect(page.getByText('Complete')).toBeVisible()
  await drawScreen(page, 'share-complete')
  await drawOnPhone(page, 'share-complete-phone')

  await page.goto(link.replace(/#.*/, ''))
  await expect(page.getByRole('heading', { name: 'The key is missing' })).toBeVisible()
  await drawScreen(page, 'share-missing-key')

  await account.call(files.removeAll, {})
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'File not found or expired' })).toBeVisible()
  await drawScreen(page, 'share-gone')
})

async function drawOnPhone(page: Page, name: string): Promise<void> {
  await page.setViewportSize(phone)
  await drawScreen(page, name)
  await page.setViewportSize({ width: 1280, height: 860 })
}
