import { sessions as contract } from '@sallyport/contract/sessions'
import type { FastifyInstance } from 'fastify'
import { callerKey } from '../../../platform/http/address-blocks.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { ListSlots } from '../../../platform/rate-limit/list-slots.ts'
import type { SessionAccess } from '../admission/session-access.ts'
import { credentialsOf } from '../credentials.ts'
import type { SessionMessageService } from './session-messages.service.ts'

interface SessionMessageRoutesDeps {
  readonly messages: SessionMessageService
  readonly sessionAccess: SessionAccess
  readonly listSlots: ListSlots
}

export function sessionMessageRoutes(
  app: FastifyInstance,
  { messages, sessionAccess, listSlots }: SessionMessageRoutesDeps,
): void {
  mount(app, contract.messages, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    const key = `session messages|${caller.session.id}|${caller.participant.id}`
    const slot = {
      key,
      caller: callerKey(request.address, caller.participant.userId ?? undefined),
      closed: request.closed,
    }
    return listSlots.run(
      slot,
      () => messages.page(caller, request.query),
      (page) => page.messages,
    )
  })

  mount(app, contract.send, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    const { message_text: sealedText, encrypted_key: wrappedKey, participant_name: sealedName } = request.body
    return { message: await messages.send(caller, { sealedText, wrappedKey, sealedName }) }
  })

  mount(app, contract.admit, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    return { seq: await messages.admit(caller, request.body.body) }
  })

  mount(app, contract.admissions, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    return { admissions: await messages.listAdmissions(caller, request.query.since ?? 0) }
  })
}
