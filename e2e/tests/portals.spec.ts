import { expect, test } from '../support/journey.ts'
import { signUp } from '../support/people.ts'
import {
  acceptFile,
  answerUnverified,
  atPortal,
  connectAtPortal,
  direct,
  joinPortal,
  openPortal,
  picturesOf,
  readCode,
  sendFiles,
} from '../support/portals.ts'
import { readLink } from '../support/qr-picture.ts'
import { makeRandomFile } from '../support/random-file.ts'

test.use({ launchOptions: direct })

const megabyte = 1024 * 1024
const closedByOther = 'Portal Closed. The other device has closed it.'

test('POR-01 POR-04 two people without accounts connect by a typed code, and a file goes each way, byte for byte', async ({
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
  expect(await picturesOf(joiner)).toEqual(await picturesOf(creator))
})

test('POR-09 who closes the portal ends it for both, and visitors are back where one signs in', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const [creator, joiner] = await connectAtPortal([context, await anotherBrowser()], server.url)

  await creator.getByRole('button', { name: 'Close Portal' }).click()

  await expect(creator.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(joiner.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await expect(joiner.getByText(closedByOther)).toBeVisible()
  await expect(creator.getByText(closedByOther)).toBeHidden()
  await joiner.getByRole('button', { name: 'Dismiss' }).click()
  await expect(joiner.getByText(closedByOther)).toBeHidden()
})

test('POR-09 a member whose portal is closed by the other person reads so at the menu, until they open another', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const member = await context.newPage()
  await signUp(member, undefined, server.url)
  await member.getByRole('link', { name: 'Portal' }).click()
  const visitor = await atPortal(await anotherBrowser(), server.url)
  await joinPortal(visitor, await openPortal(member))
  await expect(member.getByText('Device Connected!')).toBeVisible({ timeout: 30_000 })

  await visitor.getByRole('button', { name: 'Close Portal' }).click()

  await expect(member.getByText(closedByOther)).toBeVisible()
  await member.getByRole('button', { name: 'Create Portal' }).click()
  await expect(member.getByRole('heading', { name: 'Portal Opened' })).toBeVisible()
  await expect(member.getByText(closedByOther)).toBeHidden()
  await member.getByRole('button', { name: 'Close Portal' }).click()
  await expect(member.getByRole('button', { name: 'Create Portal' })).toBeVisible()
  await expect(member.getByText(closedByOther)).toBeHidden()
})

test('POR-05 a declined file is told as rejected, and the portal stays', async ({
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

test('a wrong code is refused, uses the room up, and the creator shows another one', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await atPortal(context, server.url)
  const guesser = await atPortal(await anotherBrowser(), server.url)
  const pin = await openPortal(creator)
  const wrong = pin.slice(0, 5) + ((Number(pin[5]) + 1) % 10)

  await joinPortal(guesser, wrong)

  await expect(guesser.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  await expect(creator.getByText('A wrong code was entered. Here is a new one.')).toBeVisible()
  await expect.poll(() => readCode(creator)).not.toBe(pin)
  await joinPortal(guesser, await readCode(creator))
  await expect(guesser.getByText('Verified (PIN)')).toBeVisible({ timeout: 30_000 })
})

test('POR-02 an address with all digits, as the specification has it, joins after a question and as unverified, because the server may know them', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await atPortal(context, server.url)
  const pin = await openPortal(creator)
  const other = await anotherBrowser()
  await other.grantPermissions(['camera'], { origin: server.url })
  const joiner = await other.newPage()
  const asked: string[] = []
  const said: string[] = []
  joiner.on('request', (request) => asked.push(request.url()))
  joiner.on('websocket', (socket) => socket.on('framesent', ({ payload }) => said.push(String(payload))))
  // Only an address that was written by hand has all digits: the page's own links do not.
  await joiner.goto(`${server.url}/?join=${pin}`)

  await expect(joiner.getByText('This code was part of a web address, so this server may know it.')).toBeVisible()
  await answerUnverified(joiner)

  await expect(joiner.getByText('Unverified', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(joiner.getByText('Verified (PIN)')).toHaveCount(0)
  await expect(joiner.locator('details[open] ol li')).toHaveCount(4)
  expect(await picturesOf(joiner)).toEqual(await picturesOf(creator))
  expect(joiner.url()).toBe(`${server.url}/portal?anonymous=true`)
  await expect(joiner.getByRole('heading', { name: 'Portal Connected' })).toBeVisible()
  const [, ...after] = asked
  expect(after.filter((url) => url.includes(pin))).toEqual([])
  expect(said.length).toBeGreaterThan(3)
  expect(said.filter((text) => text.includes(pin.slice(2)))).toEqual([])
})

test('POR-02 a link whose secret was lost on the way uses up no code when its question is declined', async ({
  context,
  anotherBrowser,
  server,
}) => {
  const creator = await atPortal(context, server.url)
  const pin = await openPortal(creator)
  const joiner = await (await anotherBrowser()).newPage()

  await joiner.goto(`${server.url}/${new URL(await readLink(creator)).search}`)
  await answerUnverified(joiner, 'Decline')

  await expect(joiner.getByRole('alert').getByText('Failed to join room')).toBeVisible()
  expect(await readCode(creator)).toBe(pin)
  await expect(creator.getByText('A wrong code was entered.')).toHaveCount(0)
})

test('POR-02 a link with a part of its secret is called incomplete', async ({ page, server }) => {
  await page.goto(`${server.url}/?join=482913#k=c2VjcmV0`)

  await expect(page.getByRole('alert')).toContainText('This link is incomplete. Ask for the whole link')
})

test('POR-02 who joins by a link sees which room it leads to', async ({ context, anotherBrowser, server }) => {
  const creator = await atPortal(context, server.url)
  const pin = await openPortal(creator)
  const other = await anotherBrowser()
  const joiner = await other.newPage()

  await joiner.goto(await readLink(creator))

  await expect(joiner.getByText('Verified (link)')).toBeVisible({ timeout: 30_000 })
  await expect(joiner.getByText(`Room code ${pin.slice(0, 2)}…`)).toBeVisible()
})

test('POR-11 a seventh digit makes the code box one of eight digits, so that no other portal is joined by its beginning', async ({
  context,
  server,
}) => {
  const page = await atPortal(context, server.url)
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
