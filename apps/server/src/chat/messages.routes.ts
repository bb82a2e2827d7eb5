import { messages as contract, type Message } from '@sallyport/contract/messages'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../http/caller.ts'
import { mount } from '../http/mount.ts'
import type { ListSlots } from '../limits/list-slots.ts'
import { callerKey } from '../resources/address-blocks.ts'
import type { PageRequest } from '../sealed/message-page.ts'
import type { Messages } from './messages.service.ts'
import type { MessageRecord } from './messages.store.ts'

interface Deps {
  readonly messages: Messages
  readonly listSlots: ListSlots
}

interface PageVisit {
  readonly caller: Caller<'account'>
  readonly address: string
  readonly closed: Promise<void>
}

export function messageRoutes(app: FastifyInstance, { messages, listSlots }: Deps): void {
  const readPage = ({ caller, address, closed }: PageVisit, request: PageRequest) => {
    const { userId } = caller.account
    const slot = { key: `messages|${userId}`, caller: callerKey(address, userId), closed }
    return listSlots.run(
      slot,
      () => messages.page(userId, request),
      (page) => page.messages,
    )
  }

  mount(app, contract.list, async ({ query, ...visit }) => {
    const page = await readPage(visit, query)
    return page.messages.map(asMessage)
  })

  mount(app, contract.page, async ({ query, ...visit }) => {
    const page = await readPage(visit, query)
    return { ...page, messages: page.messages.map(asMessage) }
  })

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
