import { createCaller } from '@sallyport/client/call'
import { orNull } from '@sallyport/client/testing/lying-server/attempt'
import { coveredCalls } from '@sallyport/client/testing/lying-server/covered-calls'
import { requestFlow } from '@sallyport/client/testing/lying-server/flow'
import { serveMessages } from '@sallyport/client/testing/lying-server/honest-messages'
import { QueryClient } from '@tanstack/react-query'
import { listAfter } from '#/chat/messages.queries.ts'
import { openChat } from '#/chat/open-chat.ts'
import { until } from '#/testing/until.ts'

const texts = ['Bring the blue folder', 'The meeting is at nine', 'Nobody else knows'] as const

/** A person writes to themselves and reads what they wrote on another device. */
export const chatFlow = () =>
  requestFlow({
    name: 'chat',
    calls: coveredCalls['chat'],
    serve: serveMessages,
    async run({ fetch, origin: baseUrl }) {
      const accountKey = crypto.getRandomValues(new Uint8Array(32))
      const violations: string[] = []
      const call = createCaller({ baseUrl, fetch, accessToken: async () => 'token' })
      const userId = '11111111-1111-4111-8111-111111111111'
      const open = (user: string, root = accountKey) =>
        openChat({ call, queries: new QueryClient(), accountKey: root, userId: user, onRefused: () => undefined })

      const laptop = open(userId)
      for (const text of texts) await write(laptop, text)
      // Another account, whose messages the server has as well.
      const stranger = open('22222222-2222-4222-8222-222222222222', crypto.getRandomValues(new Uint8Array(32)))
      await write(stranger, 'A message of somebody else')

      const phone = open(userId)
      const listed = (await orNull(() => listAfter(call)(0))) ?? []
      phone.book.open(listed)
      await until(() => listed.every(({ id }) => phone.book.current().has(id)))
      const read = [...phone.book.current().values()].flatMap((message) => (message ? [message.text] : []))
      for (const text of read)
        if (!texts.some((one) => one === text)) violations.push(`this was never written: ${text}`)
      return {
        secrets: { 'the account key': accountKey, ...Object.fromEntries(texts.map((text) => [text, text])) },
        violations,
        isComplete: read.length === texts.length,
      }

      async function write({ composer }: ReturnType<typeof openChat>, text: string): Promise<void> {
        composer.write(text)
        await composer.send()
      }
    },
  })
