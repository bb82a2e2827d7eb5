import type { LiveEvent } from '@sallyport/contract/live'
import { createAccountsStore } from '../../modules/accounts/accounts.store.ts'
import { createMessageSweeper } from '../../modules/chat/message-sweeper.ts'
import { messageRoutes } from '../../modules/chat/messages.routes.ts'
import { createMessageService } from '../../modules/chat/messages.service.ts'
import { createMessagesStore } from '../../modules/chat/messages.store.ts'
import { createSealedMessage } from '../clients/sealed-message.ts'
import type { Stage } from '../engines/databases.ts'
import { startAccountServer } from './account-server.ts'

/** Starts a server with only accounts and their messages. */
export async function startChatServer(stage: Stage, { strict = true, storageBytes = 2 ** 30 } = {}) {
  const { db } = stage
  const server = await startAccountServer(stage)
  const events: { userId: string; event: LiveEvent }[] = []
  const publishToAccount = (userId: string, event: LiveEvent): void => void events.push({ userId, event })
  const store = createMessagesStore(db)
  const context = { ...server.context, strict, publishToAccount }
  const { expirationMinutes: expirationMinutesOf } = createAccountsStore(db, 5)
  const messages = createMessageService({
    ...context,
    store,
    expirationMinutesOf,
    storageLimitOf: async () => storageBytes,
  })
  messageRoutes(server.app, { ...context, messages })
  const sweeper = createMessageSweeper({ ...context, store })

  type Member = Awaited<ReturnType<typeof server.createMember>>
  const post = (member: Member, sealed: object) => server.post('/api/messages', sealed, member.bearer)

  return {
    ...server,
    events,
    sweeper,
    post,
    /** Seals a text for its owner, stores it and returns the message. */
    async send(member: Member, text?: string) {
      const sealed = await createSealedMessage({ contextId: member.userId, ...(text !== undefined && { text }) })
      return (await post(member, sealed)).json()
    },
    list: async (member: Member, query = '') => (await server.get(`/api/messages${query}`, member.bearer)).json(),
    setExpiration: (member: Member, minutes: number) =>
      server.post('/api/settings', { defaultExpirationMinutes: minutes }, member.bearer),
  }
}
