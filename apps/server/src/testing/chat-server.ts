import type { LiveEvent } from '@sallyport/contract/live'
import { createAccountsStore } from '../accounts/accounts.store.ts'
import { createMessageSweeper } from '../chat/message-sweeper.ts'
import { messageRoutes } from '../chat/messages.routes.ts'
import { createMessages } from '../chat/messages.service.ts'
import { createMessagesStore } from '../chat/messages.store.ts'
import { createLogger } from '../http/logger.ts'
import { createLocalAttempts } from '../limits/attempts.ts'
import { createListSlots } from '../limits/list-slots.ts'
import { startAccounts } from './account-server.ts'
import type { Stage } from './databases.ts'
import { aSealedMessage } from './sealed-message.ts'

/** A server with accounts and their messages, and nothing else. */
export async function startChat(stage: Stage, { strict = true, storageBytes = 2 ** 30 } = {}) {
  const { db, now } = stage
  const server = await startAccounts(stage)
  const events: { userId: string; event: LiveEvent }[] = []
  const announce = (userId: string, event: LiveEvent): void => void events.push({ userId, event })
  const store = createMessagesStore(db)
  const attempts = createLocalAttempts(now)
  const { expirationMinutes: expirationMinutesOf } = createAccountsStore(db)
  messageRoutes(server.app, {
    messages: createMessages({
      store,
      attempts,
      announce,
      now,
      strict,
      expirationMinutesOf,
      storageLimitOf: async () => storageBytes,
    }),
    listSlots: createListSlots(),
  })
  const log = createLogger('silent')
  const sweeper = createMessageSweeper({ store, announce, now, log, monotonic: () => 0 })

  type Member = Awaited<ReturnType<typeof server.aMember>>
  const post = (member: Member, sealed: object) => server.post('/api/messages', sealed, member.bearer)

  return {
    ...server,
    events,
    sweeper,
    post,
    /** Seals a text for its owner, keeps it there and answers the message. */
    async send(member: Member, text?: string) {
      const sealed = await aSealedMessage({ contextId: member.userId, ...(text !== undefined && { text }) })
      return (await post(member, sealed)).json()
    },
    list: async (member: Member, query = '') => (await server.get(`/api/messages${query}`, member.bearer)).json(),
    keepFor: (member: Member, minutes: number) =>
      server.post('/api/settings', { defaultExpirationMinutes: minutes }, member.bearer),
  }
}
