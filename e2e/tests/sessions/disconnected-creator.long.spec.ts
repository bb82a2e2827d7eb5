import { basename, join } from 'node:path'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { listFiles } from '../../support/files/stored-files.ts'
import { test as base, expect } from '../../support/journey.ts'
import { startServer } from '../../support/server/server.ts'
import {
  createSession,
  joinAsGuest,
  leaveButton,
  log,
  messageWith,
  sendSessionMessage,
  sessionDropZone,
  sessionFile,
  showFiles,
} from '../../support/sessions.ts'

const minute = 60_000

/** A server that runs its background tasks 60 times as often. */
const test = base.extend({
  server: async ({ browserName: _ }, use) => {
    const server = await startServer({ longWaitDivisor: 60 })
    await use(server)
    await server.stop()
  },
})

test('SES-04 a session whose creator has disconnected ends after 15 minutes, and its files are deleted', async ({
  page,
  server,
  folder,
  anotherBrowser,
}) => {
  const initialObjects = countObjects(server.dataFolder)
  await openFiles(page, await createAccount(server.url))
  const creatorContext = page.context()
  const pin = await createSession(page)
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(guest, pin)
  await showFiles(page)
  const file = await makeRandomFile({ folder, name: 'gone.bin', bytes: 6_000_000 })
  await dropFiles(page, sessionDropZone(page), [file.path])
  await showFiles(guest)
  await expect(sessionFile(guest, 'gone.bin')).toBeVisible()
  expect(countObjects(server.dataFolder)).toBeGreaterThan(initialObjects)

  await creatorContext.close()
  await server.setClock(14 * minute)
  await guest.getByRole('tab', { name: 'Chat' }).click()
  await sendSessionMessage(guest, 'still here')
  await expect(messageWith(guest, 'still here')).toBeVisible()
  await server.setClock(16 * minute)
  await expect(guest.getByText('The session was closed')).toBeVisible()
  await expect(log(guest)).toHaveCount(0)
  await expect(leaveButton(guest)).toHaveCount(0)
  await expect.poll(() => countObjects(server.dataFolder)).toBe(initialObjects)
})

/** The number of files in the volumes. */
const countObjects = (dataFolder: string): number =>
  listFiles(join(dataFolder, 'volumes')).filter((path) => !basename(path).startsWith('.')).length
