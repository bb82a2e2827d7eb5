import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, type Locator, type Page } from '@playwright/test'
import { type Message, messages } from '@sallyport/contract/messages'
import { sealMessage } from '@sallyport/crypto'
import type { Account } from './account/account.ts'
import type { RunningServer } from './server/server.ts'

export async function openChat(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Chat', exact: true })).toBeVisible()
}

export const messageInput = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })
export const messageCards = (page: Page): Locator => page.getByRole('log', { name: 'Messages' }).getByRole('listitem')

/** Deletes all messages on a phone and confirms it. */
export async function deleteAllMessages(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete All' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click()
}

/** The displayed texts, from top to bottom. */
export const shownTexts = (page: Page): Promise<string[]> => messageCards(page).locator('p').allTextContents()

/** Sends a message through the API. */
export async function sendMessage(account: Account, text: string, sentAt = Date.now()): Promise<Message> {
  const { accountKey: root, userId: contextId, call } = account
  const { encryptedContent, encryptedKey } = await sealMessage({ root, kind: 'personal', contextId, text, sentAt })
  return call(messages.send, { body: { encryptedMessage: encryptedContent, encryptedKey } })
}

/** Inserts messages into the database as if they had been sent in a row: the API accepts only 5 a second. */
export async function insertMessages(server: RunningServer, account: Account, texts: readonly string[]): Promise<void> {
  const { accountKey: root, userId: contextId } = account
  const database = new DatabaseSync(join(server.dataFolder, 'sallyport.db'), { timeout: 5000 })
  const insert = database.prepare('insert into messages values (?, ?, ?, ?, ?, ?, ?)')
  const firstCreatedAt = Date.now() - texts.length
  for (const [index, text] of texts.entries()) {
    const createdAt = firstCreatedAt + index
    const sealed = await sealMessage({ root, kind: 'personal', contextId, text, sentAt: createdAt })
    const expiresAt = createdAt + 3_600_000
    const { encryptedKey, encryptedContent } = sealed
    const bytes = encryptedKey.length + encryptedContent.length
    insert.run(randomUUID(), contextId, encryptedKey, encryptedContent, createdAt, expiresAt, bytes)
  }
  database.close()
}
