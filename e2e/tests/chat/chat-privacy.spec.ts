import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Message, messages } from '@sallyport/contract/messages'
import { createAccount } from '../../support/account/account.ts'
import { openFiles } from '../../support/account/open-files.ts'
import { expectFiles, fillSignIn } from '../../support/account/users.ts'
import { expect, test } from '../../support/journey.ts'
import { messageCards, messageInput, openChat, sendMessage } from '../../support/messages.ts'
import { needlesOf } from '../../support/needles.ts'
import { startRecordingProxy } from '../../support/network/recording-proxy.ts'
import { searchSecrets } from '../../support/search-secrets.ts'

const phone = { width: 390, height: 844 }

test('CHT-01 a message that the account key cannot decrypt shows an error and can be deleted; one with a wrong clock is marked', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const otherKeyAccount = { ...account, accountKey: new Uint8Array(32).fill(7) }
  await sendMessage(otherKeyAccount, 'sealed under another key')
  await sendMessage(account, 'from yesterday', Date.now() - 24 * 3_600_000)
  await openFiles(page, account)
  await openChat(page)

  const unreadable = messageCards(page).filter({ hasText: 'This message can’t be decrypted with your key.' })
  await expect(unreadable.getByRole('button', { name: 'Copy' })).toBeDisabled()
  await expect(messageCards(page).getByText('according to the sending device’s clock')).toBeVisible()
  await page.setViewportSize(phone)
  for (const card of await messageCards(page).all()) {
    const { x, width } = (await card.boundingBox()) ?? { x: 0, width: 0 }
    expect(x + width).toBeLessThan(phone.width)
  }
  await unreadable.getByRole('button', { name: /^Delete/ }).click()
  await expect(messageCards(page)).toHaveCount(1)
})

test('CHT-01 a message that the server lists again under another id is marked, and copied once', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const account = await createAccount(server.url)
  const { id } = await sendMessage(account, 'pay 100 to Ben')
  await context.route('**/api/messages/page*', async (route) => {
    const response = await route.fetch()
    const page: { messages: Message[] } = await response.json()
    const repeated = page.messages
      .filter((message) => message.id === id)
      .map((message) => ({ ...message, id: randomUUID(), createdAt: message.createdAt + 1 }))
    await route.fulfill({ response, json: { ...page, messages: [...page.messages, ...repeated] } })
  })
  await openFiles(page, account)
  await openChat(page)

  await expect(messageCards(page)).toHaveCount(2)
  await expect(messageCards(page).filter({ hasText: 'It was sent only once.' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Copy All' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('pay 100 to Ben')
})

test('T162 CHT-01 no message text is found in traffic, storage or logs', async ({ page, folder, server }) => {
  const captures = join(folder, 'captures')
  mkdirSync(captures)
  const proxy = await startRecordingProxy(server.url, join(captures, 'wire'))
  const account = await createAccount(server.url)
  const text = `the gate code is ${randomBytes(12).toString('base64url')}`
  await page.goto(`${proxy.url}/`)
  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)
  await openChat(page)
  await messageInput(page).fill(text)
  await messageInput(page).press('Control+Enter')
  await expect(messageCards(page).getByText(/^Gone in/)).toBeVisible()
  await page.reload()
  await expect(messageCards(page)).toHaveCount(1)
  const [storedMessage] = await account.call(messages.list, {})
  await server.kill()
  await proxy.close()
  writeFileSync(join(captures, 'server.log'), server.log())
  const paths = [server.dataFolder, captures]

  expect(searchSecrets(paths, needlesOf({ name: 'text', bytes: Buffer.from(text) }))).toEqual([])

  // Checks the search itself: the sealed text has to be found in both.
  const sealed = needlesOf({ name: 'sealed text', bytes: Buffer.from(storedMessage?.encryptedContent ?? '') })
  const found = searchSecrets(
    paths,
    sealed.filter(({ form }) => form === 'raw'),
  ).map(({ file }) => file)
  expect(found.some((file) => file.includes('sallyport.db'))).toBe(true)
  expect(found.some((file) => file.endsWith('-sent.bin'))).toBe(true)
})
