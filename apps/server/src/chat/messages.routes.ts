import { messages as contract, type Message } from '@sallyport/contract/messages'
import type { FastifyInstance } from 'fastify'
import { mount } from '../http/mount.ts'
import type { Messages } from './messages.service.ts'
import type { MessageRecord } from './messages.store.ts'

interface Deps {
  readonly messages: Messages
}

export function messageRoutes(app: FastifyInstance, { messages }: Deps): void {
  mount(app, contract.list, async ({ caller, query }) =>
    (await messages.list(caller.account.userId, query.after ?? 0)).map(asMessage),
  )

  mount(app, contract.send, async ({ caller, body }) => {
    const { encryptedMessage: sealedText, encryptedKey: wrappedKey } = body
    return asMessage(await messages.send(caller.account.userId, { sealedText, wrappedKey }))
  })

  mount(app, contract.remove, async ({ caller, params }) => {
    await messages.remove(caller.account.userId, params.id)
    return {}
  })

  mount(app, contract.removeAll, async ({ caller }) => ({
    deleted: await messages.removeAll(caller.account.userId),
  }))
}

function asMessage({ id, sealedText, wrappedKey, createdAt, expiresAt }: MessageRecord): Message {
  return { id, encryptedContent: sealedText, encryptedKey: wrappedKey, createdAt, expiresAt }
}
