import { sessions as contract } from '@sallyport/contract/sessions'
import type { FastifyInstance } from 'fastify'
import { mount } from '../http/mount.ts'
import type { Entrance } from './entrance.ts'
import type { SessionMessages } from './session-messages.service.ts'
import { shownBy } from './shown.ts'

interface Deps {
  readonly messages: SessionMessages
  readonly entrance: Entrance
}

export function sessionMessageRoutes(app: FastifyInstance, { messages, entrance }: Deps): void {
  mount(app, contract.messages, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    return { messages: await messages.list(visit, request.query.after ?? 0) }
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
