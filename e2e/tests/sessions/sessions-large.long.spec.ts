import { dropFiles } from '../../support/browser/drop-files.ts'
import { withoutOpfs } from '../../support/browser/without-opfs.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import { hostSession, joinAsGuest, sessionDropZone, sessionFile, showFiles } from '../../support/sessions.ts'

test('SES-08 without OPFS a session file over 100 MB is saved by the service worker', async ({
  page,
  server,
  folder,
  anotherBrowser,
}) => {
  test.setTimeout(600_000)
  const pin = await hostSession(page, server.url)
  const guestContext = await anotherBrowser({ baseURL: server.url })
  await withoutOpfs(guestContext)
  const guest = await guestContext.newPage()
  await joinAsGuest(guest, pin)
  await showFiles(guest)
  await showFiles(page)
  const file = await makeRandomFile({ folder, name: 'harbour.mov', bytes: 105_000_000 })
  await dropFiles(page, sessionDropZone(page), [file.path])
  const row = sessionFile(guest, 'harbour.mov')
  await expect(row).toBeVisible({ timeout: 360_000 })

  const saved = await saveDownload(guest, folder, () => row.getByRole('button', { name: 'Download' }).click())

  expect([saved.name, saved.sha256]).toEqual(['harbour.mov', file.sha256])
  const workers = await guest.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  expect(workers).toBe(1)
})

test('SES-08 SES-10 60 files added to a session appear for both without a request per file', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(guest, pin)
  await showFiles(guest)
  await showFiles(page)
  const requests: string[] = []
  for (const participant of [page, guest])
    participant.on('request', (request) => {
      if (request.method() === 'GET' && /\/sessions\/[^/]+\/files/.test(request.url())) requests.push(request.url())
    })
  const files = Array.from({ length: 60 }, (_, index) => ({
    name: `note-${index}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`note ${index}`),
  }))

  await page.locator('input[type=file]').first().setInputFiles(files)

  for (const participant of [page, guest])
    await expect(sessionFile(participant, 'note-')).toHaveCount(60, { timeout: 240_000 })
  // Some may be announced late, or while another request runs.
  expect(requests.length).toBeLessThan(10)
})
