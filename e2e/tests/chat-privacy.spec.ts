import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messages } from '@sallyport/contract/messages'
import { createAccount } from '../support/account.ts'
import { expect, test } from '../support/journey.ts'
import { messageCards, messageInput, openChat, sendMessage } from '../support/messages.ts'
import { needlesOf } from '../support/needles.ts'
import { expectFiles, fillSignIn, signIn } from '../support/people.ts'
import { startRecordingProxy } from '../support/recording-proxy.ts'
import { sweep } from '../support/sweep.ts'

const phone = { width: 390, height: 844 }

test('CHT-01 a message that this account’s key does not open says so and can be deleted; one from another clock says that', async ({
  page,
  server,
}) => {
  const account = await createAccount(server.url)
  const stranger = { ...account, accountKey: new Uint8Array(32).fill(7) }
  await sendMessage(stranger, 'sealed under another key')
  await sendMessage(account, 'from yesterday', Date.now() - 24 * 3_600_000)
  await signIn(page, account)
  await openChat(page)

  const unreadable = messageCards(page).filter({ hasText: 'This message cannot be opened with your key.' })
  await expect(unreadable.getByRole('button', { name: 'Copy' })).toBeDisabled()
  await expect(messageCards(page).getByText('by the clock of the device it came from')).toBeVisible()
  await page.setViewportSize(phone)
  for (const card of await messageCards(page).all()) {
    const { x, width } = (await card.boundingBox()) ?? { x: 0, width: 0 }
    expect(x + width).toBeLessThan(phone.width)
  }
  await unreadable.getByRole('button', { name: /^Delete/ }).click()
  await expect(messageCards(page)).toHaveCount(1)
})

test('T162 CHT-01 no word of a message is found in what travelled, was stored or was logged', async ({
  page,
  folder,
  server,
}) => {
  const captures = join(folder, 'captures')
  mkdirSync(captures)
  const wire = await startRecordingProxy(server.url, join(captures, 'wire'))
  const account = await createAccount(server.url)
  const text = `the gate code is ${randomBytes(12).toString('base64url')}`
  await page.goto(`${wire.url}/`)
  await fillSignIn(page, account)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectFiles(page)
  await openChat(page)
  await messageInput(page).fill(text)
  await messageInput(page).press('Control+Enter')
  await expect(messageCards(page).getByText(/^Gone in/)).toBeVisible()
  await page.reload()
  await expect(messageCards(page)).toHaveCount(1)
  const [kept] = await account.call(messages.list, {})
  await server.kill()
  await wire.close()
  writeFileSync(join(captures, 'server.log'), server.log())
  const places = [server.dataFolder, captures]

  expect(sweep(places, needlesOf({ name: 'text', bytes: Buffer.from(text) }))).toEqual([])

  // What is looked through must be the real thing: the sealed text has to be in both.
  const sealed = needlesOf({ name: 'sealed text', bytes: Buffer.from(kept?.encryptedContent ?? '') })
  const found = sweep(
    places,
    sealed.filter(({ form }) => form === 'raw'),
  ).map(({ file }) => file)
  expect(found.some((file) => file.includes('sallyport.db'))).toBe(true)
  expect(found.some((file) => file.endsWith('-sent.bin'))).toBe(true)
})
