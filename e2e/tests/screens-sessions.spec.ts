import type { Page } from '@playwright/test'
import { createAccount } from '../support/account.ts'
import { drawScreen } from '../support/draw-screen.ts'
import { dropFiles } from '../support/drop-files.ts'
import { expect, test } from '../support/journey.ts'
import { signIn } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'
import {
  createSession,
  joinAsStranger,
  leaveButton,
  openSessions,
  said,
  say,
  sessionFile,
  sessionZone,
  showChat,
  showFiles,
} from '../support/sessions.ts'

test('@screens a session from its menu to its end, for a member and for a stranger', async ({
  page,
  folder,
  server,
  anotherBrowser,
}) => {
  await signIn(page, await createAccount(server.url, 'mara@example.org'))
  await openSessions(page)
  await draw(page, 'sessions-menu')
  const pin = await createSession(page)
  await showFiles(page)
  await draw(page, 'session-files-empty')
  await showChat(page)
  await draw(page, 'session-chat-empty')

  const stranger = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsStranger(stranger, pin)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('textbox', { name: 'Your name in this session' }).fill('Mara')
  await draw(page, 'session-settings')
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expect(page.getByText('you: Mara')).toBeVisible()
  await say(page, 'The drawings for Thursday are under Files.')
  await expect(said(stranger, 'drawings')).toBeVisible()
  await say(
    stranger,
    'Thank you. Phase two includes the survey and the north elevation revisions, phase three the harbour walkway and everything that the client has asked for since the last meeting in September.',
  )
  await expect(said(page, 'Thank you')).toBeVisible()
  await say(page, 'I am here until five.')
  await expect(said(stranger, 'until five')).toBeVisible()
  await expect(page.getByText('Settings saved successfully!')).toBeHidden()
  await draw(page, 'session-chat')
  await draw(stranger, 'session-stranger')

  const files = [
    await makeRandomFile({ folder, name: 'facade-elevation-north.png', bytes: 1_802_000 }),
    await makeRandomFile({ folder, name: 'walkthrough.mp4', bytes: 7_280_000 }),
  ]
  await showFiles(page)
  await dropFiles(
    page,
    sessionZone(page),
    files.map(({ path }) => path),
  )
  await expect(sessionFile(page, 'walkthrough.mp4')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Uploads' })).toBeHidden()
  await draw(page, 'session-files')
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByRole('img', { name: 'Scan to join' })).toBeVisible()
  await draw(page, 'session-invite')
  await page.keyboard.press('Escape')
  await leaveButton(page).click()
  await expect(stranger.getByText('The session was closed')).toBeVisible()
  await draw(stranger, 'session-closed')
})

/** On a desk and on a phone. */
async function draw(page: Page, name: string): Promise<void> {
  await drawScreen(page, name)
  await page.setViewportSize({ width: 390, height: 844 })
  await drawScreen(page, `${name}-phone`)
  await page.setViewportSize({ width: 1280, height: 860 })
}
