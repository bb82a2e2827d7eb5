import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { test as base, expect } from '../../support/journey.ts'
import {
  createSession,
  joinAsGuest,
  messageWith,
  sendSessionMessage,
  sessionDropZone,
  sessionFile,
  showFiles,
} from '../../support/sessions.ts'

base(
  'SES-06 SES-10 without a live channel, messages and files arrive within 8 seconds',
  async ({ page, server, folder, anotherBrowser }) => {
    await openFiles(page, await createAccount(server.url))
    const pin = await createSession(page)
    const context = await anotherBrowser({ baseURL: server.url })
    await context.routeWebSocket(/\/api\/live/, (socket) => socket.close())
    await context.clock.install()
    const guest = await context.newPage()
    await joinAsGuest(guest, pin)
    await expect(guest.getByText('No messages yet')).toBeVisible()
    await pauseClock(guest)
    await sendSessionMessage(page, 'by asking')
    await expect(messageWith(page, 'by asking')).toBeVisible()
    await expect(messageWith(page, 'by asking').getByText('Sending…')).toHaveCount(0)
    await guest.clock.runFor(8000)
    await stepUntilVisible(messageWith(guest, 'by asking'))
    await guest.clock.resume()
    await showFiles(guest)
    await expect(guest.getByText('No files yet')).toBeVisible()
    await showFiles(page)
    await pauseClock(guest)
    const file = await makeRandomFile({ folder, name: 'asked.bin', bytes: 50_000 })
    await dropFiles(page, sessionDropZone(page), [file.path])
    await expect(sessionFile(page, 'asked.bin')).toBeVisible()
    await guest.clock.runFor(8000)
    await stepUntilVisible(sessionFile(guest, 'asked.bin'))
  },
)
