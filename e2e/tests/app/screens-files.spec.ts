import type { Page } from '@playwright/test'
import { files } from '@sallyport/contract/files'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { dropZone, enterPassword, fileRow, uploads } from '../../support/account/users.ts'
import { dragFilesOver, dropFiles } from '../../support/browser/drop-files.ts'
import { saveScreenshots } from '../../support/browser/save-screenshots.ts'
import { holdChunksFrom } from '../../support/files/hold-chunks.ts'
import { makePng } from '../../support/files/png.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { shareByLink } from '../../support/files/shared-file.ts'
import { expect, test } from '../../support/journey.ts'
import { startHostileProxy } from '../../support/network/hostile-proxy.ts'

const phone = { width: 390, height: 844 }
const megabyte = 1024 * 1024
const longName = `facade-elevation-${'north-'.repeat(16)}approved.dwg`

test('@screens sign-in: busy, rejected, and the plans', async ({ page, server }) => {
  const account = await createAccount(server.url, 'mara@example.org')
  await page.route('**/api/login', () => undefined)
  await enterPassword(page, account)
  await expect(page.getByRole('button', { name: 'Signing In...' })).toBeVisible()
  await saveScreenshots(page, 'sign-in-busy')
  await page.unroute('**/api/login')

  await enterPassword(page, { ...account, password: 'not the one' })
  await expect(page.getByRole('alert')).toBeVisible()
  await saveScreenshots(page, 'sign-in-refused')

  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page.getByRole('button', { name: 'Start trial' })).toBeVisible()
  await saveScreenshots(page, 'plans')
})

test('@screens files: empty, dragged over, uploading, encrypted, rejected, and the delete dialog', async ({
  page,
  context,
  folder,
  server,
}) => {
  const account = await createAccount(server.url, 'mara@example.org')
  const moving = await makeRandomFile({ folder, name: 'site-photos.zip', bytes: 30_000_000 })
  const small = await makeRandomFile({ folder, name: 'notes.txt', bytes: 4_000_000 })
  await openFiles(page, account)
  await expect(page.getByText('Upload files to see them here')).toBeVisible()
  await saveScreenshots(page, 'files-empty')

  const release = await dragFilesOver(page, dropZone(page), [moving.path, small.path])
  await expect(page.getByText('Drop to upload 2 files')).toBeVisible()
  await saveScreenshots(page, 'files-held')
  await holdChunksFrom(page, 2)
  await release()
  await expect(uploads(page).getByText('55%')).toBeVisible({ timeout: 240_000 })
  await saveScreenshots(page, 'files-sending')
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await page.getByRole('button', { name: 'Show transfers' }).click()
  await saveScreenshots(page, 'dock')
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Hide transfers' }).click()
  await saveScreenshots(page, 'dock-phone')
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.getByRole('link', { name: 'Files', exact: true }).click()

  await context.setOffline(true)
  await expect(page.getByText('You’re offline. Transfers are paused.')).toBeVisible()
  await saveScreenshots(page, 'files-offline')
  await context.setOffline(false)
  await uploads(page).getByRole('button', { name: 'Cancel Upload site-photos.zip' }).click()
  await expect(uploads(page).getByText('100%')).toBeVisible()
  await saveScreenshots(page, 'files-sealed')
  await page.unroute('**/api/upload-chunk')

  await page.route('**/api/upload', (route) =>
    route.fulfill({
      status: 507,
      json: { error: { code: 'NO_ROOM', message: 'The server has no room left for this file' } },
    }),
  )
  await dropFiles(page, dropZone(page), [small.path])
  await expect(page.getByText(/^Failed to upload notes\.txt: /)).toBeVisible({ timeout: 240_000 })
  await saveScreenshots(page, 'files-failed')
  await page.getByRole('button', { name: 'Dismiss' }).first().click()

  await fileRow(page, 'notes.txt').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await saveScreenshots(page, 'files-delete')
})

test('@screens a list of files near their expiry, and one whose link was just copied', async ({
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
  await openFiles(page, account)
  await fileRow(page, 'quarterly-report-final.pdf').getByRole('button', { name: 'Copy Link' }).click()
  await expect(fileRow(page, 'quarterly-report-final.pdf').getByText('Copied!')).toBeVisible()
  await saveScreenshots(page, 'files-rows')

  await page.evaluate(() => navigator.clipboard.writeText('The key is with the neighbours.\nRing twice.'))
  await page.keyboard.press('Control+V')
  await expect(page.getByRole('dialog', { name: 'Pasted text' })).toBeVisible()
  await saveScreenshots(page, 'pasted-text')
})

test('@screens a phone: the last row, an image, a link to copy by hand, and the composer', async ({ page, server }) => {
  await page.addInitScript(() => {
    const reject = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
    Object.assign(navigator.clipboard, { write: reject, writeText: reject })
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
  await openFiles(page, account)
  await expect(fileRow(page, 'walkthrough.mp4')).toBeVisible()
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await saveScreenshots(page, 'files-phone-end')

  await page.getByRole('button', { name: 'Show harbour.png' }).click()
  await expect(page.getByRole('img', { name: 'harbour.png' })).toBeVisible()
  await saveScreenshots(page, 'overlay-phone')
  await page.keyboard.press('Escape')

  await fileRow(page, 'lease.pdf').getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByRole('dialog', { name: 'Could not copy text.' })).toBeVisible()
  await saveScreenshots(page, 'copy-by-hand-phone')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  const message = page.getByRole('textbox', { name: 'Message' })
  await expect(message).toBeVisible()
  await saveScreenshots(page, 'composer-44-phone')
  await message.fill(Array.from({ length: 9 }, (_, line) => `Line ${line + 1} of a longer message`).join('\n'))
  await saveScreenshots(page, 'composer-120-phone')
})

test('@screens a shared file: loading, downloading, complete, deleted, and without its key', async ({
  page,
  server,
}) => {
  const reportFile = new File([new Uint8Array(25 * megabyte)], 'quarterly-report-final.pdf')
  const { account, link: directLink } = await shareByLink(server.url, reportFile)
  const proxy = await startHostileProxy(server.url, {})
  const link = directLink.replace(server.url, proxy.url)
  await page.route('**/api/share/*', () => undefined)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Loading' })).toBeVisible()
  await saveScreenshots(page, 'share-loading')
  await page.unroute('**/api/share/*')

  await page.reload()
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
  const release = proxy.holdResponses('/api/share/', 0.58 * reportFile.size)
  const downloaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^5[678]$/)
  await saveScreenshots(page, 'share-downloading')
  release()
  await downloaded
  await expect(page.getByText('Complete')).toBeVisible()
  await saveScreenshots(page, 'share-complete')
  await savePhoneScreenshots(page, 'share-complete-phone')

  await page.goto(link.replace(/#.*/, ''))
  await expect(page.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible()
  await saveScreenshots(page, 'share-missing-key')

  await account.call(files.removeAll, {})
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'File not found or expired' })).toBeVisible()
  await saveScreenshots(page, 'share-gone')
  await proxy.close()
})

async function savePhoneScreenshots(page: Page, name: string): Promise<void> {
  await page.setViewportSize(phone)
  await saveScreenshots(page, name)
  await page.setViewportSize({ width: 1280, height: 860 })
}
