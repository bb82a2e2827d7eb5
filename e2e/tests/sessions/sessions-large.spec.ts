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
