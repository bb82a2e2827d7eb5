import { openNewAccount } from '../../support/account/open-files.ts'
import { makeRandomFile } from '../../support/files/random-file.ts'
import { expect, test } from '../../support/journey.ts'
import {
  acceptFile,
  answerUnverified,
  connectAtPortal,
  directConnectionOptions,
  joinPortal,
  openPortal,
  openPortalPage,
  readCode,
  sasEmojiOf,
  sendFiles,
} from '../../support/portals/portals.ts'
import { readPortalLink } from '../../support/portals/qr-code.ts'

test.use({ launchOptions: directConnectionOptions })

const megabyte = 1024 * 1024
const closedByOtherMessage = 'Portal Closed. The other device closed it.'

test('POR-01 POR-04 two users without accounts connect by a typed code, and a file goes each way unchanged', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const [creator, joiner] = await connectAtPortal([context, await anotherBrowser()], server.url)
  await expect(creator.getByText('Verified (PIN)')).toBeVisible()
  await expect(joiner.getByText('Direct')).toBeVisible()

  for (const [from, to, bytes] of [
    [creator, joiner, 12 * megabyte + 7],
    [joiner, creator, 3],
  ] as const) {
    const file = await makeRandomFile({ folder, name: `file of ${bytes}.bin`, bytes })
    await sendFiles(from, [file.path])
    await expect(to.getByRole('alertdialog', { name: new RegExp(`wants to send file of ${bytes}.bin`) })).toBeVisible()
    const saved = await acceptFile(to, folder)
    expect([saved.name, saved.sha256]).toEqual([file.name, file.sha256])
    await expect(to.getByRole('button', { name: 'Send File' })).toBeVisible()
    await expect(from.getByRole('button', { name: 'Send File' })).toBeVisible()
  }
  expect(await sasEmojiOf(joiner)).toEqual(await sasEmojiOf(creator))
})

test('POR-09 closing the portal ends it for both, and visitors return to the sign-in page', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const [creator, joiner] = await connectAtPortal([context, await anotherBrowser()], server.url)

  await creator.getByRole('button', { name: 'Close Portal' }).click()

  await expect(creator.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(joiner.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(joiner.getByText(closedByOtherMessage)).toBeVisible()
  await expect(creator.getByText(closedByOtherMessage)).toBeHidden()
  await joiner.getByRole('button', { name: 'Dismiss' }).click()
  await expect(joiner.getByText(closedByOtherMessage)).toBeHidden()
})

test('POR-09 a member whose portal is closed by the other user sees so at the menu until they open another', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const member = await context.newPage()
  await openNewAccount(member, server.url)
  await member.getByRole('link', { name: 'Portal' }).click()
  const visitor = await openPortalPage(await anotherBrowser(), server.url)
  await joinPortal(visitor, await openPortal(member))
  await expect(member.getByText('Device Connected!')).toBeVisible()

  await visitor.getByRole('button', { name: 'Close Portal' }).click()

  await expect(member.getByText(closedByOtherMessage)).toBeVisible()
  await member.getByRole('button', { name: 'Create Portal' }).click()
  await expect(member.getByRole('heading', { name: 'Portal Opened' })).toBeVisible()
  await expect(member.getByText(closedByOtherMessage)).toBeHidden()
  await member.getByRole('button', { name: 'Close Portal' }).click()
  await expect(member.getByRole('button', { name: 'Create Portal' })).toBeVisible()
  await expect(member.getByText(closedByOtherMessage)).toBeHidden()
})

test('POR-05 a declined file is reported as rejected, and the portal stays open', async ({
  context,
  anotherBrowser,
  folder,
  server,
}) => {
  const [creator, joiner] = await connectAtPortal([context, await anotherBrowser()], server.url)
  const file = await makeRandomFile({ folder, name: 'unwanted.bin', bytes: 100 })

  await sendFiles(creator, [file.path])
  await joiner.getByRole('button', { name: 'Decline' }).click()

  await expect(creator.getByText('Transfer failed: File transfer rejected by peer')).toBeVisible()
  await expect(creator.getByText('Device Connected!')).toBeVisible()
})

test('a wrong code is rejected, invalidates the room, and the creator gets a new code', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await openPortalPage(context, server.url)
  const guesser = await openPortalPage(await anotherBrowser(), server.url)
  const pin = await openPortal(creator)
  const wrong = pin.slice(0, 5) + ((Number(pin[5]) + 1) % 10)

  await joinPortal(guesser, wrong)

  await expect(guesser.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  await expect(creator.getByText('Someone entered a wrong code. Here is a new one.')).toBeVisible()
  await expect.poll(() => readCode(creator)).not.toBe(pin)
  await joinPortal(guesser, await readCode(creator))
  await expect(guesser.getByText('Verified (PIN)')).toBeVisible()
})

test('POR-02 a URL with all digits, as in the specification, joins after a question and unverified, as the server may know them', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await openPortalPage(context, server.url)
  const pin = await openPortal(creator)
  const other = await anotherBrowser()
  await other.grantPermissions(['camera'], { origin: server.url })
  const joiner = await other.newPage()
  const requestedUrls: string[] = []
  const sentFrames: string[] = []
  joiner.on('request', (request) => requestedUrls.push(request.url()))
  joiner.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sentFrames.push(String(payload))))
  // Only a URL typed by hand has all digits: the links of the page do not.
  await joiner.goto(`${server.url}/?join=${pin}`)

  await expect(joiner.getByText('This code was part of a web address, so this server may know it.')).toBeVisible()
  await answerUnverified(joiner)

  await expect(joiner.getByText('Unverified', { exact: true })).toBeVisible()
  await expect(joiner.getByText('Verified (PIN)')).toHaveCount(0)
  await expect(joiner.locator('details[open] ol li')).toHaveCount(4)
  expect(await sasEmojiOf(joiner)).toEqual(await sasEmojiOf(creator))
  expect(joiner.url()).toBe(`${server.url}/portal?anonymous=true`)
  await expect(joiner.getByRole('heading', { name: 'Portal Connected' })).toBeVisible()
  const [, ...laterRequests] = requestedUrls
  expect(laterRequests.filter((url) => url.includes(pin))).toEqual([])
  expect(sentFrames.length).toBeGreaterThan(3)
  expect(sentFrames.filter((text) => text.includes(pin.slice(2)))).toEqual([])
})

test('POR-02 a link that has lost its secret uses up no code when its question is declined', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await openPortalPage(context, server.url)
  const pin = await openPortal(creator)
  const joiner = await (await anotherBrowser()).newPage()

  await joiner.goto(`${server.url}/${new URL(await readPortalLink(creator)).search}`)
  await answerUnverified(joiner, 'Decline')

  await expect(joiner.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  expect(await readCode(creator)).toBe(pin)
  await expect(creator.getByText('Someone entered a wrong code.')).toHaveCount(0)
})

test('POR-02 a link with a partial secret is called incomplete', async ({ page, server }) => {
  await page.goto(`${server.url}/?join=482913#k=c2VjcmV0`)

  await expect(page.getByRole('alert')).toContainText('This link is incomplete. Ask for the whole link')
})

test('POR-02 joining by a link shows the room code prefix', async ({ context, anotherBrowser, server }) => {
  const creator = await openPortalPage(context, server.url)
  const pin = await openPortal(creator)
  const other = await anotherBrowser()
  const joiner = await other.newPage()

  await joiner.goto(await readPortalLink(creator))

  await expect(joiner.getByText('Verified (link)')).toBeVisible()
  await expect(joiner.getByText(`Room code ${pin.slice(0, 2)}…`)).toBeVisible()
})

test('POR-11 a seventh digit switches the code field to 8 digits, so that a prefix joins no other portal', async ({
  context,
  server,
}) => {
  const page = await openPortalPage(context, server.url)
  const code = page.getByRole('textbox', { name: 'Portal code' })
  const join = page.getByRole('button', { name: 'Join', exact: true })

  await code.fill('4829 1357')
  await expect(code).toHaveValue('48291357')
  await expect(join).toBeEnabled()
  await expect(page.getByRole('button', { name: 'My code has 6 digits' })).toBeVisible()

  await code.press('Backspace')
  await expect(join).toBeDisabled()
  await code.press('Backspace')
  await expect(code).toHaveValue('482913')
  await expect(join).toBeEnabled()
  await expect(page.getByRole('button', { name: 'My code has 8 digits' })).toBeVisible()
})
