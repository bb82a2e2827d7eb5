import { createAccount } from '../support/account.ts'
import { saveDownload } from '../support/downloads.ts'
import { dropFiles } from '../support/drop-files.ts'
import { expect, test } from '../support/journey.ts'
import { signIn } from '../support/people.ts'
import { makeRandomFile } from '../support/random-file.ts'
import {
  hostSession,
  joinAsMember,
  joinAsStranger,
  joinButton,
  leaveButton,
  log,
  openSessions,
  pinField,
  said,
  say,
  sessionFile,
  sessionZone,
  showFiles,
} from '../support/sessions.ts'
import { stepUntilVisible, stopTime } from '../support/stopped-time.ts'

test('SES-01 SES-12 the menu says what is wrong with a PIN, and takes it back once it is edited', async ({
  page,
  server,
}) => {
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

  await signIn(page, await createAccount(server.url))
  await openSessions(page)
  await expect(page.getByRole('heading', { name: 'Create Session' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Join Session' })).toBeVisible()
  await joinButton(page).click()
  await expect(page.getByText('6-digit PIN is required')).toBeVisible()
})

test('SES-02 SES-03 SES-06 SES-12 SHL-06 a creator, a member and a stranger write to each other, and all end with the creator', async ({
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
  await signIn(member, await createAccount(server.url))
  await joinAsMember(member, pin)
  const stranger = await (await anotherBrowser({ baseURL: server.url })).newPage()
  const bearers: string[] = []
  stranger.on('request', (request) => {
    if (request.headers()['authorization']) bearers.push(request.url())
  })
  await joinAsStranger(stranger, pin)
  await expect(stranger.getByRole('navigation', { name: 'Areas' })).toHaveCount(0)
  await expect(page.getByText('3 here')).toBeVisible()
  await expect(stranger.getByText('you: Anonymous')).toBeVisible()

  await say(page, 'from the creator')
  await say(member, 'from the member')
  await say(stranger, 'from the stranger')
  for (const screen of [page, member, stranger]) {
    await expect(log(screen).getByRole('listitem')).toHaveCount(3)
    await expect(said(screen, 'from the stranger').getByText('Anonymous')).toBeVisible()
  }
  await expect(said(stranger, 'from the stranger').getByText('You', { exact: true })).toBeVisible()
  await expect(said(page, 'from the stranger').getByText('You', { exact: true })).toHaveCount(0)
  expect(bearers).toEqual([])

  await leaveButton(page).click()
  await expect(page.getByRole('heading', { name: 'Create Session' })).toBeVisible()
  await Promise.all([member, stranger].map((one) => expect(one.getByText('The session was closed')).toBeVisible()))
  await expect(member.getByRole('heading', { name: 'Create Session' })).toBeVisible()
  await expect(stranger.getByRole('tab', { name: 'Join Session' })).toBeVisible()
})

test('SES-04 SES-05 SES-12 a reload goes back into the session, leaving offers the way back, and a session that is over is forgotten', async ({
  page,
  server,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const stranger = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsStranger(stranger, pin)
  await say(stranger, 'before the reload')
  await expect(said(page, 'before the reload')).toBeVisible()
  const kept = () => stranger.evaluate(() => localStorage.getItem('activeSession'))
  expect(JSON.parse((await kept()) ?? '{}')).toEqual({
    sessionId: expect.any(String),
    sessionPin: pin,
    keyMode: 'pin2',
  })

  await stranger.reload()
  await expect(stranger.getByText('Session Connected')).toBeVisible()
  await expect(said(stranger, 'before the reload').getByText('You', { exact: true })).toBeVisible()
  await expect(stranger.getByText('2 here')).toBeVisible()
  await page.reload()
  await expect(said(page, 'before the reload')).toBeVisible()
  await page.getByRole('link', { name: 'Chat' }).click()
  await page.getByRole('link', { name: 'Sessions' }).click()
  await expect(said(page, 'before the reload')).toBeVisible()

  await leaveButton(stranger).click()
  await expect(stranger.getByText('Left session')).toBeVisible()
  expect(await kept()).toBeNull()
  await expect(page.getByText('1 here')).toBeVisible()

  const member = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await member.clock.install()
  await signIn(member, await createAccount(server.url))
  await joinAsMember(member, pin)
  await stopTime(member)
  await leaveButton(member).click()
  await stepUntilVisible(member.getByText('Left session'))
  await member.getByRole('button', { name: 'Rejoin' }).click()
  await member.clock.resume()
  await expect(said(member, 'before the reload')).toBeVisible()

  await stranger.evaluate(
    (sessionPin) =>
      localStorage.setItem(
        'activeSession',
        JSON.stringify({ sessionId: '00000000-0000-4000-8000-000000000000', sessionPin }),
      ),
    pin === '111111' ? '222222' : '111111',
  )
  await stranger.reload()
  await expect(stranger.getByRole('tab', { name: 'Join Session' })).toBeVisible()
  expect(await kept()).toBeNull()
})

test('SES-03 SES-13 the creator settles how long files stay; others only what they are called', async ({
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
  await dropFiles(page, sessionZone(page), [file.path])
  await expect(sessionFile(page, 'plan.bin').getByText('0h 0m remaining')).toBeVisible()

  const stranger = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsStranger(stranger, pin)
  await stranger.getByRole('button', { name: 'Settings' }).click()
  await expect(stranger.getByRole('radio', { name: '1 minute', exact: true })).toBeDisabled()
  await stranger.getByRole('textbox', { name: 'Your name in this session' }).fill('Iro')
  await stranger.getByRole('button', { name: 'Save Settings' }).click()
  await expect(stranger.getByText('you: Iro')).toBeVisible()
  await page.getByRole('button', { name: /here/ }).click()
  await expect(
    page.getByRole('dialog', { name: 'Who is here' }).getByText('Iro', { exact: true }).first(),
  ).toBeVisible()
})

test('SES-08 a session download whose key is unusable says that it failed', async ({ page, server, folder }) => {
  await hostSession(page, server.url)
  await showFiles(page)
  const file = await makeRandomFile({ folder, name: 'plan.pdf', bytes: 1000 })
  await dropFiles(page, sessionZone(page), [file.path])
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

test('SES-07 SES-08 SES-10 a file is shared in a session, comes out the same for a stranger, and is deleted by anybody', async ({
  page,
  context,
  server,
  folder,
  anotherBrowser,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const pin = await hostSession(page, server.url)
  const stranger = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await joinAsStranger(stranger, pin)
  await showFiles(stranger)
  await showFiles(page)
  const file = await makeRandomFile({ folder, name: 'site photos.zip', bytes: 157_286_400 })
  await dropFiles(page, sessionZone(page), [file.path])
  await expect(page.getByRole('region', { name: 'Uploads' }).getByRole('progressbar')).toBeVisible()
  await expect(sessionFile(stranger, 'site photos.zip')).toBeVisible({ timeout: 90_000 })
  await expect(page.getByRole('region', { name: 'Uploads' })).toBeHidden()
  const saved = await saveDownload(stranger, folder, () =>
    sessionFile(stranger, 'site photos.zip').getByRole('button', { name: 'Download' }).click(),
  )
  expect(saved.sha256).toBe(file.sha256)
  expect(saved.name).toBe('site photos.zip')

  await sessionFile(page, 'site photos.zip').getByRole('button', { name: 'Copy Link' }).click()
  await expect(sessionFile(page, 'site photos.zip').getByRole('button', { name: 'Copied!' })).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(/\/share\/[0-9a-f-]{36}$/)

  const another = await (await anotherBrowser({ baseURL: server.url })).newPage()
  await another.goto(link)
  await expect(another.getByText('This file is shared in a session. Join it to get the file.')).toBeVisible()
  expect(new URL(another.url()).pathname).toBe('/')
  await pinField(another).fill(pin)
  await joinButton(another).click()
  await expect(sessionFile(another, 'site photos.zip')).toBeVisible()

  await sessionFile(stranger, 'site photos.zip').getByRole('button', { name: 'Delete' }).click()
  await stranger.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No files yet')).toBeVisible()
  await expect(another.getByText('No files yet')).toBeVisible()
})

test('SES-09 T140 uploads end with the session, and with whoever leaves it', async ({
  page,
  server,
  folder,
  anotherBrowser,
}) => {
  const pin = await hostSession(page, server.url)
  const stranger = await (await anotherBrowser({ baseURL: server.url })).newPage()
  const file = await makeRandomFile({ folder, name: 'long.bin', bytes: 60_000_000 })

  await joinAsStranger(stranger, pin)
  await showFiles(stranger)
  await stranger.route('**/upload-chunk', () => undefined)
  await dropFiles(stranger, sessionZone(stranger), [file.path])
  await expect(stranger.getByRole('region', { name: 'Uploads' }).getByRole('progressbar')).toBeVisible()
  stranger.once('dialog', (dialog) => dialog.accept())
  await leaveButton(stranger).click()
  await expect(stranger.getByText('Upload cancelled - you left the session')).toBeVisible()

  await joinAsStranger(stranger, pin)
  await showFiles(stranger)
  await dropFiles(stranger, sessionZone(stranger), [file.path])
  await expect(stranger.getByRole('region', { name: 'Uploads' }).getByRole('progressbar')).toBeVisible()
  await leaveButton(page).click()
  await expect(stranger.getByText('Session was closed - upload cancelled')).toBeVisible()
  await expect(stranger.getByRole('tab', { name: 'Join Session' })).toBeVisible()
})
