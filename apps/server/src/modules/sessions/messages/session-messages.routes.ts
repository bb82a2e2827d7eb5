import { sessions as contract } from '@sallyport/contract/sessions'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../../context.ts'
import { mount } from '../../../platform/http/mount.ts'
import { listSlotOf } from '../admission/session-access.ts'
import { credentialsOf } from '../credentials.ts'
import type { SessionServices } from '../session-services.ts'

type SessionMessageRoutesDeps = Pick<SessionServices, 'messages' | 'sessionAccess'> & Pick<ServerContext, 'listSlots'>

export function sessionMessageRoutes(
  app: FastifyInstance,
  { messages, sessionAccess, listSlots }: SessionMessageRoutesDeps,
): void {
  mount(app, contract.messages, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    return listSlots.run(
      listSlotOf('session messages', request, caller),
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
