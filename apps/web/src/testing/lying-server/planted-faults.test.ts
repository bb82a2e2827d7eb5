import { cacheStretching } from '@sallyport/client/testing/lying-server/cached-stretching'
import { findViolations } from '@sallyport/client/testing/lying-server/test-flow'
import { openMessage, toBase64url } from '@sallyport/crypto'
import { beforeAll, expect, test, vi } from 'vitest'
import { openChat } from '#/chat/open-chat.ts'
import type { ListedMessage } from '#/messages/listed-message.ts'
import { createMessageBook } from '#/messages/message-book.ts'
import { chatFlow, labelledFile } from './chat.flow.ts'
import { openSessionBrowser } from './session-browser.ts'
import { sessionsFlow } from './sessions.flow.ts'
import { storedSessionFlow } from './stored-session.flow.ts'

vi.mock('#/sessions/room-transfers.ts', () => ({
  createRoomTransfers: () => ({ uploads: {}, unfinished: {}, downloads: {}, watch: () => () => {}, end: () => 0 }),
  forgetUploadsOf: async () => {},
}))

beforeAll(cacheStretching)

/** A browser that goes on with the weaker key mode where the server names one for a session for holders of a link. */
const believesKeyMode: typeof openSessionBrowser = (server) => {
  const browser = openSessionBrowser(server)
  return {
    ...browser,
    async create() {
      await browser.create(true)
      if (browser.room() === null) await browser.create(false)
    },
  }
}

test('the suite notices a browser that seals under the key mode that a server answers', async () => {
  const flow = sessionsFlow({ isPrivate: true, openBrowser: believesKeyMode })
  expect(Object.keys(await findViolations(flow, 0))).toContain(
    'the server reads a message of a session that only holders of the link can read',
  )
})

/** A browser that enters a stored session again under the key mode that the server answers. */
const forgetsKeyMode: typeof openSessionBrowser = (server) => {
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

test('the suite notices a browser that forgets the key mode of the session it has stored', async () => {
  expect(Object.keys(await findViolations(storedSessionFlow(forgetsKeyMode), 0))).toContain(
    'the server reads a message of a session that only holders of the link can read',
  )
})

/** A chat that opens a sealed text wherever it was sealed for. */
const opensAnyText: typeof openChat = (parts) => {
  const { accountKey: root, userId } = parts
  const label = `share-label:${toBase64url(labelledFile)}`
  const open = (contextId: string, { encryptedKey, encryptedContent }: ListedMessage) =>
    openMessage({ root, kind: 'personal', contextId, encryptedKey, encryptedContent })
  const book = createMessageBook((message: ListedMessage) => open(userId, message).catch(() => open(label, message)))
  return { ...openChat(parts), book }
}

test('the suite notices a chat that opens what was sealed for another place', async () => {
  expect(Object.keys(await findViolations(chatFlow(opensAnyText), 0))).toContain(
    'this was never written: For the tax office',
  )
})
