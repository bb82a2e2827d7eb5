import { messages as contract } from '@sallyport/contract/messages'
import type { FastifyInstance } from 'fastify'
import { callerKey } from '../../platform/http/address-blocks.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { mount } from '../../platform/http/mount.ts'
import type { ListSlots } from '../../platform/rate-limit/list-slots.ts'
import type { MessageService } from './messages.service.ts'
import type { PageRequest } from './sealed/stored-messages.store.ts'

interface MessageRoutesDeps {
  readonly messages: MessageService
  readonly listSlots: ListSlots
}

interface ListRequest {
  readonly caller: Caller<'account'>
  readonly address: string
  readonly closed: Promise<void>
}

export function messageRoutes(app: FastifyInstance, { messages, listSlots }: MessageRoutesDeps): void {
  const listMessages = ({ caller, address, closed }: ListRequest, request: PageRequest) => {
    const { userId } = caller.account
    const slot = { key: `messages|${userId}`, caller: callerKey(address, userId), closed }
    return listSlots.run(
      slot,
      () => messages.page(userId, request),
      (page) => page.messages,
    )
  }

  mount(app, contract.list, async ({ query, ...visit }) => (await listMessages(visit, query)).messages)
  mount(app, contract.page, ({ query, ...visit }) => listMessages(visit, query))

  mount(app, contract.send, ({ caller, body }) => {
    const { encryptedMessage: sealedText, encryptedKey: wrappedKey } = body
    return messages.send(caller.account.userId, { sealedText, wrappedKey })
  })

  mount(app, contract.remove, async ({ caller, params }) => {
    await messages.remove(caller.account.userId, params.id)
    return {}
  })

  mount(app, contract.removeAll, async ({ caller }) => ({
    deleted: await messages.removeAll(caller.account.userId),
  }))
}
