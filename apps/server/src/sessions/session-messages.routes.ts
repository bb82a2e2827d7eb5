import { sessions as contract } from '@sallyport/contract/sessions'
import type { FastifyInstance } from 'fastify'
import { mount } from '../http/mount.ts'
import type { ListSlots } from '../limits/list-slots.ts'
import { callerKey } from '../resources/address-blocks.ts'
import type { Entrance } from './entrance.ts'
import type { SessionMessages } from './session-messages.service.ts'
import { shownBy } from './shown.ts'

interface Deps {
  readonly messages: SessionMessages
  readonly entrance: Entrance
  readonly listSlots: ListSlots
}

export function sessionMessageRoutes(app: FastifyInstance, { messages, entrance, listSlots }: Deps): void {
  mount(app, contract.messages, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    const key = `session messages|${visit.session.id}|${visit.participant.id}`
    const slot = {
      key,
      caller: callerKey(request.address, visit.participant.userId ?? undefined),
      closed: request.closed,
    }
    return listSlots.run(
      slot,
      () => messages.page(visit, request.query),
      (page) => page.messages,
    )
  })

  mount(app, contract.send, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    const { message_text: sealedText, encrypted_key: wrappedKey, participant_name: sealedName } = request.body
    return { message: await messages.send(visit, { sealedText, wrappedKey, sealedName }) }
  })

  mount(app, contract.admit, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    return { seq: await messages.admit(visit, request.body.body) }
  })

  mount(app, contract.admissions, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    return { admissions: await messages.listAdmissions(visit, request.query.since ?? 0) }
  })
}
