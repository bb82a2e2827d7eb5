import { createAccount } from '../support/account.ts'
import { dropFiles } from '../support/drop-files.ts'
import { expectAccessible } from '../support/expect-accessible.ts'
import { expect, test } from '../support/journey.ts'
import { tabTo } from '../support/keyboard.ts'
import { signIn } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'
import {
  createSession,
  hostSession,
  joinAsStranger,
  joinButton,
  openSessions,
  readPin,
  said,
  say,
  sessionFile,
  sessionZone,
  showFiles,
} from '../support/sessions.ts'

const desk = { width: 1280, height: 860 }

test('SES-01 SES-03 SES-07 every screen of a session can be used by everybody', async ({
  page,
  server,
  folder,
  anotherBrowser,
}) => {
  await page.goto('/#joinSession')
  await joinButton(page).click()
  await expect(page.getByText('6-digit PIN is required')).toBeVisible()
  await expectAccessible(page, 'the way in for strangers')
  await page.setViewportSize(desk)

  await signIn(page, await createAccount(server.url))
  await openSessions(page)
  await expectAccessible(page, 'the menu')
  await page.setViewportSize(desk)
  const pin = await createSession(page)
  const stranger = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsStranger(stranger, pin)
  await say(stranger, 'good morning')
  await expect(said(page, 'good morning')).toBeVisible()
  await expectAccessible(page, 'the chat')
  await expectAccessible(stranger, 'the chat of a stranger')
  await page.setViewportSize(desk)

  await showFiles(page)
  await expectAccessible(page, 'no files')
  await page.setViewportSize(desk)
  const file = await makeRandomFile({ folder, name: 'plan.bin', bytes: 100_000 })
  await dropFiles(page, sessionZone(page), [file.path])
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

test('SES-01 SES-06 SES-03 a session is joined, written in and left by the keyboard alone', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const stranger = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await stranger.goto('/')
  await tabTo(stranger, /^ *Sign In$/)
  await stranger.keyboard.press('ArrowRight')
  await stranger.keyboard.press('ArrowRight')
  await expect(stranger.getByRole('tab', { name: 'Join Session' })).toBeFocused()
  await tabTo(stranger, /PIN/)
  await stranger.keyboard.type(pin)
  await stranger.keyboard.press('Enter')
  await readPin(stranger)
  await tabTo(stranger, /Message/)
  await stranger.keyboard.type('by keys alone')
  await stranger.keyboard.press('Control+Enter')
  await expect(said(page, 'by keys alone')).toBeVisible()
  await stranger.keyboard.press('Shift+Tab')
  await expect(stranger.getByRole('tab', { name: 'Chat' })).toBeFocused()
  await stranger.keyboard.press('ArrowRight')
  await expect(stranger.getByRole('button', { name: 'Choose Files' })).toBeVisible()
  await stranger.getByRole('heading', { level: 1 }).click()
  await tabTo(stranger, /Leave Session/)
  await stranger.keyboard.press('Enter')
  await expect(stranger.getByRole('tab', { name: 'Join Session' })).toBeVisible()
})
