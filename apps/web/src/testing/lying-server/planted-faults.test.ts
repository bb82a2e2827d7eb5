import { openMessage, toBase64url } from '@sallyport/crypto'
import { cachePbkdf2 } from '@sallyport/lying-server/cache-pbkdf2'
import { findViolations } from '@sallyport/lying-server/test-flow'
import { beforeAll, expect, test, vi } from 'vitest'
import { rowsOf } from '#/components/messages/list/message-rows.ts'
import type { ListedMessage } from '#/components/messages/listed-message.ts'
import { createMessageCache } from '#/components/messages/message-cache.ts'
import { createChat } from '#/features/chat/create-chat.ts'
import { chatFlow, labelledFile } from './chat.flow.ts'
import { openSessionBrowser } from './session-browser.ts'
import { sessionsFlow } from './sessions.flow.ts'
import { storedSessionFlow } from './stored-session.flow.ts'

vi.mock('#/features/sessions/room/session-transfers.ts', () => ({
  createSessionTransfers: () => ({ uploads: {}, interrupted: {}, downloads: {}, watch: () => () => {}, end: () => 0 }),
  removePersistedUploadsOf: async () => {},
}))

beforeAll(cachePbkdf2)

/** A browser that accepts the weaker key mode when the server claims one for a private session. */
const openTrustingBrowser: typeof openSessionBrowser = (server) => {
  const browser = openSessionBrowser(server)
  return {
    ...browser,
    async create() {
      await browser.create(true)
      if (browser.room() === null) await browser.create(false)
    },
  }
}

test('the suite detects a browser that encrypts with the key mode that the server claims', async () => {
  const flow = sessionsFlow({ isPrivate: true, openBrowser: openTrustingBrowser })
  expect(Object.keys(await findViolations(flow, 0))).toContain(
    'the server reads a message of a session that only holders of the link can read',
  )
})

/** A browser that rejoins a stored session with the key mode that the server claims. */
const openForgetfulBrowser: typeof openSessionBrowser = (server) => {
  const browser = openSessionBrowser(server)
  return {
    ...browser,
    openInNewTab() {
      const { keyMode: _, ...stored } = JSON.parse(browser.stored.getItem('activeSession') ?? '{}')
      browser.stored.setItem('activeSession', JSON.stringify(stored))
      return browser.openInNewTab()
    },
  }
}

test('the suite detects a browser that does not store the key mode of its session', async () => {
  expect(Object.keys(await findViolations(storedSessionFlow(openForgetfulBrowser), 0))).toContain(
    'the server reads a message of a session that only holders of the link can read',
  )
})

/** A chat that opens a sealed text of any context. */
const openUnboundChat: typeof createChat = (input) => {
  const { accountKey: root, userId } = input
  const label = `share-label:${toBase64url(labelledFile)}`
  const open = (contextId: string, { encryptedKey, encryptedContent }: ListedMessage) =>
    openMessage({ root, kind: 'personal', contextId, encryptedKey, encryptedContent })
  const messageCache = createMessageCache((message: ListedMessage) =>
    open(userId, message).catch(() => open(label, message)),
  )
  return { ...createChat(input), messageCache }
}

test('the suite detects a chat that opens a text sealed for another context', async () => {
  expect(Object.keys(await findViolations(chatFlow(openUnboundChat), 0))).toContain(
    'this was never written: For the tax office',
  )
})

/** A list that trusts the server's ids to tell messages apart. */
const showUnmarked: typeof rowsOf = (input) => rowsOf(input).map((row) => ({ ...row, warning: null }))

test('the suite detects a list that shows a repeated message as another one', async () => {
  expect(Object.keys(await findViolations(chatFlow(createChat, showUnmarked), 0))).toContain(
    'one message is shown as two',
  )
})
