import type { Page } from '@playwright/test'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { saveScreenshots } from '../../support/browser/save-screenshots.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  createSession,
  endSession,
  joinAsGuest,
  messageWith,
  openSessions,
  sendSessionMessage,
  sessionDropZone,
  sessionFile,
  showChat,
  showFiles,
} from '../../support/sessions.ts'

test('@screens a session from its menu to its end, for a member and a guest', async ({
  page,
  folder,
  server,
  anotherBrowser,
}) => {
  await openFiles(page, await createAccount(server.url, 'mara@example.org'))
  await openSessions(page)
  await saveScreens(page, 'sessions-menu')
  const pin = await createSession(page)
  await showFiles(page)
  await saveScreens(page, 'session-files-empty')
  await showChat(page)
  await saveScreens(page, 'session-chat-empty')

  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(guest, pin)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('textbox', { name: 'Your name in this session' }).fill('Mara')
  await saveScreens(page, 'session-settings')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expect(page.getByText('you: Mara')).toBeVisible()
  await sendSessionMessage(page, 'The drawings for Thursday are under Files.')
  await expect(messageWith(guest, 'drawings')).toBeVisible()
  await sendSessionMessage(
    guest,
    'Thank you. Phase two includes the survey and the north elevation revisions, phase three the harbour walkway and everything that the client has asked for since the last meeting in September.',
  )
  await expect(messageWith(page, 'Thank you')).toBeVisible()
  await sendSessionMessage(page, 'I am here until five.')
  await expect(messageWith(guest, 'until five')).toBeVisible()
  await expect(page.getByText('Settings saved successfully!')).toBeHidden()
  await saveScreens(page, 'session-chat')
  await saveScreens(guest, 'session-stranger')

  const files = [
    await makeRandomFile({ folder, name: 'facade-elevation-north.png', bytes: 1_802_000 }),
    await makeRandomFile({ folder, name: 'walkthrough.mp4', bytes: 7_280_000 }),
  ]
  await showFiles(page)
  await dropFiles(
    page,
    sessionDropZone(page),
    files.map(({ path }) => path),
  )
  await expect(sessionFile(page, 'walkthrough.mp4')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Uploads' })).toBeHidden()
  await saveScreens(page, 'session-files')
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByRole('img', { name: 'Scan to join' })).toBeVisible()
  await saveScreens(page, 'session-invite')
  await page.keyboard.press('Escape')
  await endSession(page)
  await expect(guest.getByText('The session was closed')).toBeVisible()
  await saveScreens(guest, 'session-closed')
})

/** At desktop and phone size. */
async function saveScreens(page: Page, name: string): Promise<void> {
  await saveScreenshots(page, name)
  await page.setViewportSize({ width: 390, height: 844 })
  await saveScreenshots(page, `${name}-phone`)
  await page.setViewportSize({ width: 1280, height: 860 })
}
