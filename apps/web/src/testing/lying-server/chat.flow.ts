import { createCaller } from '@sallyport/client/call'
import { alwaysOnline } from '@sallyport/client/connectivity'
import { sealLabel } from '@sallyport/client/sharing/share-label'
import type { FileKeys } from '@sallyport/crypto'
import { orNull } from '@sallyport/lying-server/attempt'
import { coveredCalls } from '@sallyport/lying-server/covered-calls'
import { requestFlow } from '@sallyport/lying-server/flow'
import { serveMessages } from '@sallyport/lying-server/honest-messages'
import type { KnownLie } from '@sallyport/lying-server/lies'
import { QueryClient } from '@tanstack/react-query'
import { rowsOf } from '#/components/messages/list/message-rows.ts'
import type { ListedMessage } from '#/components/messages/listed-message.ts'
import { createChat } from '#/features/chat/create-chat.ts'
import { until } from '#/testing/until.ts'

const texts = ['Bring the blue folder', 'The meeting is at nine', 'Nobody else knows'] as const

/** Replaces every message by the encrypted label of a share. */
const labelAsMessage: KnownLie = {
  name: 'a share label as a message',
  call: 'GET /api/messages/page',
  nth: 'every',
  change: (honest: { readonly messages: readonly object[] }, { objects }) => {
    const label = objects.find((fields) => Object.keys(fields).join() === 'key,content')
    const sealed = label && { encryptedKey: label['key'], encryptedContent: label['content'] }
    return { ...honest, messages: honest.messages.map((message) => ({ ...message, ...sealed })) }
  },
}

/** Lists every message again under another id and a later time. */
const messagesTwice: KnownLie = {
  name: 'every message twice',
  call: 'GET /api/messages/page',
  nth: 'every',
  change: ({ messages, ...page }: { readonly messages: readonly ListedMessage[] }) => ({
    ...page,
    messages: [
      ...messages,
      ...messages.map((one) => ({ ...one, id: crypto.randomUUID(), createdAt: one.createdAt + 100 })),
    ],
  }),
}

/** The id of a file whose share has a label: a text sealed with the same account key for another context. */
export const labelledFile = new Uint8Array(16).fill(9)

/** A user sends messages to themselves and reads them on another device. */
export const chatFlow = (openPhone = createChat, showRows = rowsOf) =>
  requestFlow({
    name: 'chat',
    calls: coveredCalls['chat'],
    serve: serveMessages,
    knownLies: [labelAsMessage, messagesTwice],
    async run({ fetch, origin: baseUrl, seen }) {
      const accountKey = crypto.getRandomValues(new Uint8Array(32))
      const violations: string[] = []
      const call = createCaller({ baseUrl, fetch, getAccessToken: async () => 'token' })
      const userId = '11111111-1111-4111-8111-111111111111'
      const open = (user: string, rootKey = accountKey, openWith = createChat) =>
        openWith({
          call,
          queries: new QueryClient(),
          accountKey: rootKey,
          userId: user,
          connectivity: alwaysOnline,
          onUnauthorized: () => undefined,
        })

      const laptop = open(userId)
      for (const text of texts) await write(laptop, text)
      // Another account whose messages the server holds as well.
      const otherUser = open('22222222-2222-4222-8222-222222222222', crypto.getRandomValues(new Uint8Array(32)))
      await write(otherUser, 'A message of another user')

      const context = { accountKey, keys: { header: { fileUid: labelledFile } } as FileKeys }
      seen.add(await sealLabel('For the tax office', context))

      const phone = open(userId, accountKey, openPhone)
      const listed = (await orNull(() => phone.pages.listAfter(0))) ?? []
      phone.messageCache.decrypt(listed)
      await until(() => listed.every(({ id }) => phone.messageCache.current().has(id)))
      const read = [...phone.messageCache.current().values()].flatMap((message) => (message ? [message.text] : []))
      for (const text of read)
        if (!texts.some((one) => one === text)) violations.push(`this was never written: ${text}`)
      const decrypted = phone.messageCache.current()
      const rows = showRows({ listed, decrypted, outgoing: null, expiredUntil: 0 })
      const unmarked = rows.flatMap(({ text, warning }) => (text !== null && warning === null ? [text] : []))
      if (new Set(unmarked).size < unmarked.length) violations.push('one message is shown as two')
      return {
        secrets: { 'the account key': accountKey, ...Object.fromEntries(texts.map((text) => [text, text])) },
        violations,
        isComplete: read.length === texts.length,
      }

      async function write({ composer }: ReturnType<typeof createChat>, text: string): Promise<void> {
        composer.setDraft(text)
        await composer.send()
      }
    },
  })
