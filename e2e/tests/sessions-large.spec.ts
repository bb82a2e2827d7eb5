import { saveDownload } from '../support/downloads.ts'
import { dropFiles } from '../support/drop-files.ts'
import { expect, test } from '../support/journey.ts'
import { makeRandomFile } from '../support/random-file.ts'
import { hostSession, joinAsStranger, sessionFile, sessionZone, showFiles } from '../support/sessions.ts'
import { withoutPrivateFiles } from '../support/without-private-files.ts'

test('SES-08 a file over 100 MB of a session goes through the service worker where the private file system is missing', async ({
  page,
  server,
  folder,
  anotherBrowser,
}) => {
  test.setTimeout(300_000)
  const pin = await hostSession(page, server.url)
  const strangers = await anotherBrowser({ baseURL: server.url })
  await withoutPrivateFiles(strangers)
  const stranger = await strangers.newPage()
  await joinAsStranger(stranger, pin)
  await showFiles(stranger)
  await showFiles(page)
  const file = await makeRandomFile({ folder, name: 'harbour.mov', bytes: 105_000_000 })
  await dropFiles(page, sessionZone(page), [file.path])
  const row = sessionFile(stranger, 'harbour.mov')
  await expect(row).toBeVisible({ timeout: 90_000 })

  const saved = await saveDownload(stranger, folder, () => row.getByRole('button', { name: 'Download' }).click())

  expect([saved.name, saved.sha256]).toEqual(['harbour.mov', file.sha256])
  const workers = await stranger.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  expect(workers).toBe(1)
})
