import { sessions as contract } from '@sallyport/contract/sessions'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../context.ts'
import { mount } from '../../platform/http/mount.ts'
import { credentialsOf } from './credentials.ts'
import { requireSealedParticipantName } from './messages/session-messages.service.ts'
import type { SessionServices } from './session-services.ts'

type SessionRoutesDeps = Pick<SessionServices, 'joinService' | 'sessions' | 'sessionAccess' | 'tickets'> &
  Pick<ServerContext, 'strict'>

export function sessionRoutes(
  app: FastifyInstance,
  { joinService, sessions, sessionAccess, strict, tickets }: SessionRoutesDeps,
): void {
  mount(app, contract.create, async ({ caller, address, body }) =>
    joinService.create({
      account: caller.account,
      address,
      pin: body.session_pin,
      expirationMinutes: body.default_file_expiration_minutes,
      keyMode: body.key_mode ?? 'pin',
      linkCheck: body.link_check,
    }),
  )

  mount(app, contract.join, async ({ caller, address, body }) =>
    joinService.join({
      account: caller.account,
      address,
      pin: body.session_pin,
      joinRequestToken: body.knock,
      linkCheck: body.link_check,
      work: body.work,
    }),
  )

  mount(app, contract.get, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    return { session: await sessions.describe(caller) }
  })

  mount(app, contract.heartbeat, async (request) => {
    await sessions.recordHeartbeat(await sessionAccess.authorize(request.params.id, credentialsOf(request)))
    return {}
  })

  mount(app, contract.leave, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    return { closed: await sessions.leave(caller) }
  })

  mount(app, contract.settings, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    return { session: await sessions.updateSettings(caller, request.body) }
  })

  mount(app, contract.rename, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    requireSealedParticipantName(request.body.participant_name, strict)
    await sessions.rename(caller, request.body.participant_name)
    return {}
  })

  mount(app, contract.remove, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    await sessions.remove(caller, request.params.participantId)
    return {}
  })

  mount(app, contract.ticket, async (request) => {
    const { session, participant } = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    const holder = { purpose: 'session', sessionId: session.id, participantId: participant.id } as const
    return { ticket: await tickets.issue(holder) }
  })

  mount(app, contract.answerJoinRequest, async (request) => {
    const caller = await sessionAccess.authorize(request.params.id, credentialsOf(request))
    await sessions.answerJoinRequest(caller, request.params.knockId, request.body.admit)
    return {}
  })
}
