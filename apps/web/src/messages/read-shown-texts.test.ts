import { expect, test } from 'vitest'
import type { ListedMessage } from './listed-message.ts'
import { readShownTexts } from './read-shown-texts.ts'

const aMessage = (id: string, changed: Partial<ListedMessage> = {}): ListedMessage => ({
  id,
  encryptedContent: 'sealed',
  encryptedKey: `key of ${id}`,
  createdAt: 1,
  expiresAt: 1000,
  ...changed,
})

const read = (listed: readonly ListedMessage[], outgoingKey: string | null) => {
  const outgoing = { encryptedKey: outgoingKey, text: 'being sent', sentAt: 5 }
  return readShownTexts({
    loadAll: async () => listed,
    book: { readTexts: async (messages) => messages.map(({ id }) => `text of ${id}`) },
    composer: { current: () => ({ outgoing }) } as never,
    now: () => 500,
  })
}

test('all messages are copied as they are shown: none twice, none that is over, and the one that is being sent', async () => {
  const listed = [
    aMessage('over', { expiresAt: 400 }),
    aMessage('one'),
    aMessage('replayed', { encryptedKey: 'key of one' }),
  ]

  expect(await read(listed, 'key of three')).toEqual(['text of one', 'being sent'])
})

test('a message that was delivered meanwhile is copied once', async () => {
  expect(await read([aMessage('one'), aMessage('two')], 'key of two')).toEqual(['text of one', 'text of two'])
})
