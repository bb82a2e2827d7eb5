import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { expectAccessible } from '../../support/browser/expect-accessible.ts'
import { tabTo } from '../../support/browser/keyboard.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  createSession,
  hostSession,
  joinAsGuest,
  joinButton,
  messageWith,
  openSessions,
  readPin,
  sendSessionMessage,
  sessionDropZone,
  sessionFile,
  showFiles,
} from '../../support/sessions.ts'

const desktop = { width: 1280, height: 860 }

test('SES-01 SES-03 SES-07 every screen of a session is accessible', async ({
  page,
  server,
  folder,
  anotherBrowser,
}) => {
  await page.goto('/#joinSession')
  await joinButton(page).click()
  await expect(page.getByText('6-digit PIN is required')).toBeVisible()
  await expectAccessible(page, 'the join form without an account')
  await page.setViewportSize(desktop)

  await openFiles(page, await createAccount(server.url))
  await openSessions(page)
  await expectAccessible(page, 'the menu')
  await page.setViewportSize(desktop)
  const pin = await createSession(page)
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(guest, pin)
  await sendSessionMessage(guest, 'good morning')
  await expect(messageWith(page, 'good morning')).toBeVisible()
  await expectAccessible(page, 'the chat')
  await expectAccessible(guest, 'the chat of a guest')
  await page.setViewportSize(desktop)

  await showFiles(page)
  await expectAccessible(page, 'no files')
  await page.setViewportSize(desktop)
  const file = await makeRandomFile({ folder, name: 'plan.bin', bytes: 100_000 })
  await dropFiles(page, sessionDropZone(page), [file.path])
  await expect(sessionFile(page, 'plan.bin')).toBeVisible()
  await expectAccessible(page, 'the files')
  for (const [button, dialog] of [
    ['Settings', 'Settings'],
    ['Invite', 'Invite to this session'],
    [/here/, 'Who is here'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible()
    await expectAccessible(page, dialog)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})

test('SES-01 SES-06 SES-03 a session is joined, used for chat and left by keyboard alone', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await guest.goto('/')
  await tabTo(guest, /^ *Sign In$/)
  await guest.keyboard.press('ArrowRight')
  await guest.keyboard.press('ArrowRight')
  await expect(guest.getByRole('tab', { name: 'Join Session' })).toBeFocused()
  await tabTo(guest, /PIN/)
  await guest.keyboard.type(pin)
  await guest.keyboard.press('Enter')
  await readPin(guest)
  await tabTo(guest, /Message/)
  await guest.keyboard.type('by keys alone')
  await guest.keyboard.press('Control+Enter')
  await expect(messageWith(page, 'by keys alone')).toBeVisible()
  // The messages, with their actions, are between the tabs and the composer.
  await tabTo(guest, /^ *Chat$/, 'Shift+Tab')
  await expect(guest.getByRole('tab', { name: 'Chat' })).toBeFocused()
  await guest.keyboard.press('ArrowRight')
  await expect(guest.getByRole('button', { name: 'Choose Files' })).toBeVisible()
  await guest.getByRole('heading', { level: 1 }).click()
  await tabTo(guest, /Leave Session/)
  await guest.keyboard.press('Enter')
  await expect(guest.getByRole('tab', { name: 'Join Session' })).toBeVisible()
})
