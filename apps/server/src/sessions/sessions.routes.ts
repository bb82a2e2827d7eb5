import { sessions as contract } from '@sallyport/contract/sessions'
import type { FastifyInstance } from 'fastify'
import { mount } from '../http/mount.ts'
import type { Tickets } from '../live/tickets.ts'
import type { Entrance } from './entrance.ts'
import type { JoiningSessions } from './joining.ts'
import { requireSealedParticipantName } from './session-messages.service.ts'
import type { SessionHolder } from './session-parts.ts'
import type { Sessions } from './sessions.service.ts'
import { shownBy } from './shown.ts'

interface Deps {
  readonly joining: JoiningSessions
  readonly sessions: Sessions
  readonly entrance: Entrance
  readonly strict: boolean
  readonly tickets: Tickets<SessionHolder>
}

export function sessionRoutes(app: FastifyInstance, { joining, sessions, entrance, strict, tickets }: Deps): void {
  mount(app, contract.create, async ({ caller, address, body }) =>
    joining.open({
      account: caller.account,
      address,
      pin: body.session_pin,
      expirationMinutes: body.default_file_expiration_minutes,
      keyMode: body.key_mode ?? 'pin',
      linkCheck: body.link_check,
    }),
  )

  mount(app, contract.join, async ({ caller, address, body }) =>
    joining.join({
      account: caller.account,
      address,
      pin: body.session_pin,
      knock: body.knock,
      linkCheck: body.link_check,
      work: body.work,
    }),
  )

  mount(app, contract.get, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    return { session: await sessions.describe(visit) }
  })

  mount(app, contract.heartbeat, async (request) => {
    await sessions.hear(await entrance.enter(request.params.id, shownBy(request)))
    return {}
  })

  mount(app, contract.leave, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    return { closed: await sessions.leave(visit) }
  })

  mount(app, contract.settings, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    return { session: await sessions.change(visit, request.body) }
  })

  mount(app, contract.rename, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    requireSealedParticipantName(request.body.participant_name, strict)
    await sessions.rename(visit, request.body.participant_name)
    return {}
  })

  mount(app, contract.remove, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    await sessions.remove(visit, request.params.participantId)
    return {}
  })

  mount(app, contract.ticket, async (request) => {
    const { session, participant } = await entrance.enter(request.params.id, shownBy(request))
    const holder = { purpose: 'session', sessionId: session.id, participantId: participant.id } as const
    return { ticket: await tickets.issue(holder) }
  })

  mount(app, contract.answerKnock, async (request) => {
    const visit = await entrance.enter(request.params.id, shownBy(request))
    await sessions.answerKnock(visit, request.params.knockId, request.body.admit)
    return {}
  })
}
