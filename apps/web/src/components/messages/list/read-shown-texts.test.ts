import { expect, test } from 'vitest'
import type { ListedMessage } from '../listed-message.ts'
import { createMessageCache } from '../message-cache.ts'
import { readShownTexts } from './read-shown-texts.ts'

const createMessage = (id: string, overrides: Partial<ListedMessage> = {}): ListedMessage => ({
  id,
  encryptedContent: 'sealed',
  encryptedKey: `key of ${id}`,
  createdAt: 1,
  expiresAt: 1000,
  ...overrides,
})

const read = (listed: readonly ListedMessage[], outgoingKey: string | null) => {
  const outgoing = { encryptedKey: outgoingKey, text: 'being sent', sentAt: 5 }
  return readShownTexts({
    loadAll: async () => listed,
    messageCache: createMessageCache<ListedMessage>(async ({ id, encryptedKey }) => {
      if (id === 'made up') throw new Error('unreadable')
      return { text: encryptedKey.replace('key', 'text'), sentAt: 1 }
    }),
    composer: { current: () => ({ outgoing }) } as never,
    now: () => 500,
  })
}

test('readShownTexts: copies each shown message once, without expired ones, and the one being sent', async () => {
  const listed = [
    createMessage('over', { expiresAt: 400 }),
    createMessage('made up', { encryptedKey: 'key of one' }),
    createMessage('one'),
    createMessage('replayed', { encryptedKey: 'key of one' }),
  ]

  expect(await read(listed, 'key of three')).toEqual(['text of one', 'being sent'])
})

test('readShownTexts: a message that was delivered in the meantime is copied once', async () => {
  expect(await read([createMessage('one'), createMessage('two')], 'key of two')).toEqual(['text of one', 'text of two'])
})
