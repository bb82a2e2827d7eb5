import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { dropFiles } from '../../support/browser/drop-files.ts'
import { pauseClock, stepUntilVisible } from '../../support/browser/paused-clock.ts'
import { saveDownload } from '../../support/files/downloads.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  endSession,
  hostSession,
  joinAsGuest,
  joinAsMember,
  joinButton,
  leaveButton,
  log,
  messageWith,
  openSessions,
  pinField,
  sendSessionMessage,
  sessionDropZone,
  sessionFile,
  showFiles,
} from '../../support/sessions.ts'

test('SES-01 SES-12 the menu shows what is wrong with a PIN until it is edited', async ({ page, server }) => {
  await page.goto('/#joinSession')
  await expect(page.getByText('No account needed')).toBeVisible()
  await expect(pinField(page)).toHaveAttribute('placeholder', '123456')
  await joinButton(page).click()
  await expect(page.getByText('6-digit PIN is required')).toBeVisible()
  await pinField(page).pressSequentially('12a3-4')
  await expect(page.getByText('6-digit PIN is required')).toBeHidden()
  await expect(pinField(page)).toHaveValue('1234')
  await joinButton(page).click()
  await expect(page.getByText('PIN must be exactly 6 digits')).toBeVisible()
  await pinField(page).fill('123456789')
  await expect(page.getByText('PIN must be exactly 6 digits')).toBeHidden()
  await expect(pinField(page)).toHaveValue('123456')
  await joinButton(page).click()
  await expect(page.getByText('Session not found')).toBeVisible()

  await openFiles(page, await createAccount(server.url))
  await openSessions(page)
  await expect(page.getByRole('heading', { name: 'Create Session' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Join Session' })).toBeVisible()
  await joinButton(page).click()
  await expect(page.getByText('6-digit PIN is required')).toBeVisible()
})

test('SES-02 SES-03 SES-06 SES-12 SHL-06 a creator, a member and a guest chat, and the session ends with its creator', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  await expect(page.getByRole('tab', { name: 'Chat' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tab', { name: 'Files' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Settings' })).toBeVisible()
  await expect(page.getByText('No messages yet')).toBeVisible()
  await expect(page.getByText('Send a message to start the conversation!')).toBeVisible()
  await showFiles(page)
  await expect(page.getByRole('heading', { name: 'Upload Files' })).toBeVisible()
  await expect(page.getByText('Drag & drop files or click to browse')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose Files' })).toBeVisible()
  await expect(page.getByText('No files yet')).toBeVisible()
  await expect(page.getByText('Upload files to share with the session')).toBeVisible()
  await page.getByRole('tab', { name: 'Chat' }).click()

  const member = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await openFiles(member, await createAccount(server.url))
  await joinAsMember(member, pin)
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  const authorizedRequests: string[] = []
  guest.on('request', (request) => {
    if (request.headers()['authorization']) authorizedRequests.push(request.url())
  })
  await joinAsGuest(guest, pin)
  await expect(guest.getByRole('navigation', { name: 'Areas' })).toHaveCount(0)
  await expect(page.getByText('3 people here')).toBeVisible()
  await expect(guest.getByText('you: Anonymous')).toBeVisible()

  await sendSessionMessage(page, 'from the creator')
  await sendSessionMessage(member, 'from the member')
  await sendSessionMessage(guest, 'from the stranger')
  for (const participant of [page, member, guest]) {
    await expect(log(participant).getByRole('listitem')).toHaveCount(3)
    await expect(messageWith(participant, 'from the stranger').getByText('Anonymous')).toBeVisible()
  }
  await expect(messageWith(guest, 'from the stranger').getByText('You', { exact: true })).toBeVisible()
  await expect(messageWith(page, 'from the stranger').getByText('You', { exact: true })).toHaveCount(0)
  expect(authorizedRequests).toEqual([])

  await endSession(page)
  await expect(page.getByRole('heading', { name: 'Create Session' })).toBeVisible()
  await Promise.all([member, guest].map((one) => expect(one.getByText('The session was closed')).toBeVisible()))
  await expect(member.getByRole('heading', { name: 'Create Session' })).toBeVisible()
  await expect(guest.getByRole('tab', { name: 'Join Session' })).toBeVisible()
})

test('SES-04 SES-05 SES-12 a reload rejoins the session, leaving offers to rejoin, and a closed session is forgotten', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(guest, pin)
  await sendSessionMessage(guest, 'before the reload')
  await expect(messageWith(page, 'before the reload')).toBeVisible()
  const storedSession = () => guest.evaluate(() => localStorage.getItem('activeSession'))
  expect(JSON.parse((await storedSession()) ?? '{}')).toEqual({
    sessionId: expect.any(String),
    sessionPin: pin,
    keyMode: 'pin2',
  })

  await guest.reload()
  await expect(guest.getByText('Session Connected')).toBeVisible()
  await expect(messageWith(guest, 'before the reload').getByText('You', { exact: true })).toBeVisible()
  await expect(guest.getByText('2 people here')).toBeVisible()
  await page.reload()
  await expect(messageWith(page, 'before the reload')).toBeVisible()
  await page.getByRole('link', { name: 'Chat' }).click()
  await page.getByRole('link', { name: 'Sessions' }).click()
  await expect(messageWith(page, 'before the reload')).toBeVisible()

  await leaveButton(guest).click()
  await expect(guest.getByText('You left the session')).toBeVisible()
  expect(await storedSession()).toBeNull()
  await expect(page.getByText('1 person here')).toBeVisible()

  const member = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await member.clock.install()
  await openFiles(member, await createAccount(server.url))
  await joinAsMember(member, pin)
  await pauseClock(member)
  await leaveButton(member).click()
  await stepUntilVisible(member.getByText('You left the session'))
  await member.getByRole('button', { name: 'Rejoin' }).click()
  await member.clock.resume()
  await expect(messageWith(member, 'before the reload')).toBeVisible()

  await guest.evaluate(
    (sessionPin) =>
      localStorage.setItem(
        'activeSession',
        JSON.stringify({ sessionId: '00000000-0000-4000-8000-000000000000', sessionPin }),
      ),
    pin === '111111' ? '222222' : '111111',
  )
  await guest.reload()
  await expect(guest.getByRole('tab', { name: 'Join Session' })).toBeVisible()
  expect(await storedSession()).toBeNull()
})

test('SES-03 SES-13 the creator sets how long files stay; others only their own name', async ({
  page,
  server,
  folder,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  await page.getByRole('button', { name: 'Settings' }).click()
  const dialog = page.getByRole('dialog', { name: 'Settings' })
  const choices = dialog.getByRole('group', { name: 'File Expiration Time' }).getByRole('radio')
  await expect(choices).toHaveCount(5)
  await expect(dialog.getByRole('radio', { name: '10 minutes' })).toBeChecked()
  await dialog.getByRole('radio', { name: '30 minutes' }).check({ force: true })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(dialog.getByRole('radio', { name: '10 minutes' })).toBeChecked()
  await dialog.getByRole('radio', { name: '1 minute', exact: true }).check({ force: true })
  const held = Promise.withResolvers<void>()
  await page.route('**/settings', async (route) => {
    await held.promise
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Save Settings' }).click()
  await expect(dialog.getByRole('button', { name: 'Saving...' })).toBeVisible()
  held.resolve()
  await expect(dialog).toBeHidden()
  await page.unroute('**/settings')

  const file = await makeRandomFile({ folder, name: 'plan.bin', bytes: 100_000 })
  await showFiles(page)
  await dropFiles(page, sessionDropZone(page), [file.path])
  await expect(sessionFile(page, 'plan.bin').getByText('0h 0m remaining')).toBeVisible()

  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(guest, pin)
  await guest.getByRole('button', { name: 'Settings' }).click()
  await expect(guest.getByRole('radio', { name: '1 minute', exact: true })).toBeDisabled()
  await guest.getByRole('textbox', { name: 'Your name in this session' }).fill('Iro')
  await guest.getByRole('button', { name: 'Save Settings' }).click()
  await expect(guest.getByText('you: Iro')).toBeVisible()
  await page.getByRole('button', { name: /here/ }).click()
  await expect(
    page.getByRole('dialog', { name: 'Who is here' }).getByText('Iro', { exact: true }).first(),
  ).toBeVisible()
})

test('SES-08 a session download with an unusable key shows that it failed', async ({ page, server, folder }) => {
  await hostSession(page, server.url)
  await showFiles(page)
  const file = await makeRandomFile({ folder, name: 'plan.pdf', bytes: 1000 })
  await dropFiles(page, sessionDropZone(page), [file.path])
  await expect(sessionFile(page, 'plan.pdf')).toBeVisible()
  await page.route('**/api/sessions/*/files*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { files: { encrypted_file_key: string }[] }
    const files = answer.files.map((one) => ({ ...one, encrypted_file_key: one.encrypted_file_key.slice(0, -8) }))
    await route.fulfill({ response, json: { ...answer, files } })
  })
  await page.reload()
  await showFiles(page)

  await page.getByRole('region', { name: 'Session Files' }).getByRole('button', { name: 'Download' }).click()

  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Failed to download file')
})

test('SES-07 SES-08 SES-10 a file shared in a session downloads unchanged for a guest, and anyone can delete it', async ({
  page,
  context,
  server,
  folder,
  anotherBrowser,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const pin = await hostSession(page, server.url)
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsGuest(guest, pin)
  await showFiles(guest)
  await showFiles(page)
  const file = await makeRandomFile({ folder, name: 'site photos.zip', bytes: 157_286_400 })
  await dropFiles(page, sessionDropZone(page), [file.path])
  await expect(page.getByRole('region', { name: 'Uploads' }).getByRole('progressbar')).toBeVisible()
  await expect(sessionFile(guest, 'site photos.zip')).toBeVisible({ timeout: 360_000 })
  await expect(page.getByRole('region', { name: 'Uploads' })).toBeHidden()
  const saved = await saveDownload(guest, folder, () =>
    sessionFile(guest, 'site photos.zip').getByRole('button', { name: 'Download' }).click(),
  )
  expect(saved.sha256).toBe(file.sha256)
  expect(saved.name).toBe('site photos.zip')

  await sessionFile(page, 'site photos.zip').getByRole('button', { name: 'Copy Link' }).click()
  await expect(sessionFile(page, 'site photos.zip').getByRole('button', { name: 'Copied!' })).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/share\/[0-9a-f-]{36}$/)

  const linkVisitor = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await linkVisitor.goto(link)
  await expect(linkVisitor.getByText('This file belongs to a session. Join with the PIN to download it.')).toBeVisible()
  expect(new URL(linkVisitor.url()).pathname).toBe('/')
  await pinField(linkVisitor).fill(pin)
  await joinButton(linkVisitor).click()
  await expect(sessionFile(linkVisitor, 'site photos.zip')).toHaveAttribute('aria-current', 'true')
  await expect(sessionFile(guest, 'site photos.zip')).not.toHaveAttribute('aria-current')

  await sessionFile(guest, 'site photos.zip').getByRole('button', { name: 'Delete' }).click()
  await guest.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No files yet')).toBeVisible()
  await expect(linkVisitor.getByText('No files yet')).toBeVisible()
  await expect(linkVisitor.getByText('The file of this link has expired or was deleted.')).toBeVisible()
})

test('SES-09 T140 uploads end with the session, and when their participant leaves', async ({
  page,
  server,
  folder,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const guest = await (await anotherBrowser({ baseURL: server.url })).newPage()
  const file = await makeRandomFile({ folder, name: 'long.bin', bytes: 60_000_000 })

  await joinAsGuest(guest, pin)
  await showFiles(guest)
  await guest.route('**/upload-chunk', () => undefined)
  await dropFiles(guest, sessionDropZone(guest), [file.path])
  await expect(guest.getByRole('region', { name: 'Uploads' }).getByRole('progressbar')).toBeVisible()
  guest.once('dialog', (dialog) => dialog.accept())
  await leaveButton(guest).click()
  await expect(guest.getByText('Upload cancelled - you left the session')).toBeVisible()

  await joinAsGuest(guest, pin)
  await showFiles(guest)
  await dropFiles(guest, sessionDropZone(guest), [file.path])
  await expect(guest.getByRole('region', { name: 'Uploads' }).getByRole('progressbar')).toBeVisible()
  await endSession(page)
  await expect(guest.getByText('Session was closed - upload cancelled')).toBeVisible()
  await expect(guest.getByRole('tab', { name: 'Join Session' })).toBeVisible()
})
