import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, type Locator, type Page } from '@playwright/test'
import { type Message, messages } from '@sallyport/contract/messages'
import { sealMessage } from '@sallyport/crypto'
import type { Account } from './account.ts'
import type { RunningServer } from './server.ts'

export async function openChat(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Chat', exact: true })).toBeVisible()
}

export const messageInput = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })
export const messageCards = (page: Page): Locator => page.getByRole('log', { name: 'Messages' }).getByRole('listitem')

/** Deletes all messages on a phone, and says so again when asked. */
export async function deleteAllMessages(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete All' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
}

/** The texts that are shown, from top to bottom. */
export const shownTexts = (page: Page): Promise<string[]> => messageCards(page).locator('p').allTextContents()

/** Sends a message as any client does. */
export async function sendMessage(account: Account, text: string, sentAt = Date.now()): Promise<Message> {
  const { accountKey: root, userId: contextId, call } = account
  const { encryptedContent, encryptedKey } = await sealMessage({ root, kind: 'personal', contextId, text, sentAt })
  return call(messages.send, { body: { encryptedMessage: encryptedContent, encryptedKey } })
}

/** Lays messages into the server's database as if they had been sent one after the other: it takes only five a second. */
export async function storeMessages(server: RunningServer, account: Account, texts: readonly string[]): Promise<void> {
  const { accountKey: root, userId: contextId } = account
  const file = new DatabaseSync(join(server.dataFolder, 'sallyport.db'), { timeout: 5000 })
  const insert = file.prepare('insert into messages values (?, ?, ?, ?, ?, ?, ?)')
  const begin = Date.now() - texts.length
  for (const [index, text] of texts.entries()) {
    const createdAt = begin + index
    const sealed = await sealMessage({ root, kind: 'personal', contextId, text, sentAt: createdAt })
    const expiresAt = createdAt + 3_600_000
    const { encryptedKey, encryptedContent } = sealed
    const bytes = encryptedKey.length + encryptedContent.length
    insert.run(randomUUID(), contextId, encryptedKey, encryptedContent, createdAt, expiresAt, bytes)
  }
  file.close()
}
